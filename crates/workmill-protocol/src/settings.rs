//! Settings of a namespace.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workmill_core::spawning::SpawnSettings;

/// `GET` and `PUT /v1/namespaces/{name}/settings`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NamespaceSettings {
    pub spawning: SpawnSettings,
}

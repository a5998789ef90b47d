//! Keys and namespaces.

use std::time::Duration;

use reqwest::Method;
use uuid::Uuid;
use workmill_protocol::keys::{
    CreateKey, CreateNamespace, CreatedKey, CreatedNamespace, KeyList, NamespaceList, RotateKey,
};
use workmill_protocol::settings::NamespaceSettings;

use super::{Client, in_a_path};
use crate::error::ClientError;
use crate::retries::Repeat;

impl Client {
    /// The token in the answer is never shown again; so this is asked for once, whatever happens.
    pub async fn create_key(&self, key: &CreateKey) -> Result<CreatedKey, ClientError> {
        let once = self.clone().with_patience(Duration::ZERO);
        once.post("/v1/keys", key).await
    }

    /// A page of keys; `cursor` is the last page's `next_cursor`.
    pub async fn keys(&self, cursor: Option<&str>) -> Result<KeyList, ClientError> {
        self.get(&page("/v1/keys", cursor)).await
    }

    /// Gives a key another token; the old one stays good for the grace. Asked for once, as well.
    pub async fn rotate_key(
        &self,
        id: Uuid,
        rotate: &RotateKey,
    ) -> Result<CreatedKey, ClientError> {
        let once = self.clone().with_patience(Duration::ZERO);
        once.post(&format!("/v1/keys/{id}/rotate"), rotate).await
    }

    pub async fn revoke_key(&self, id: Uuid) -> Result<(), ClientError> {
        let path = format!("/v1/keys/{id}");
        let answer: Option<serde_json::Value> = self
            .call(Method::DELETE, &path, None::<&()>, Repeat::Always)
            .await?;
        drop(answer);
        Ok(())
    }

    pub async fn create_namespace(&self, name: &str) -> Result<CreatedNamespace, ClientError> {
        let request = CreateNamespace {
            name: name.to_owned(),
        };
        self.post("/v1/namespaces", &request).await
    }

    pub async fn namespace_settings(&self, name: &str) -> Result<NamespaceSettings, ClientError> {
        self.get(&settings(name)).await
    }

    /// Sets all settings of a namespace.
    pub async fn set_namespace_settings(
        &self,
        name: &str,
        wanted: &NamespaceSettings,
    ) -> Result<NamespaceSettings, ClientError> {
        self.content(Method::PUT, &settings(name), Some(wanted))
            .await
    }

    /// A page of namespaces; `cursor` is the last page's `next_cursor`.
    pub async fn namespaces(&self, cursor: Option<&str>) -> Result<NamespaceList, ClientError> {
        self.get(&page("/v1/namespaces", cursor)).await
    }
}

fn settings(name: &str) -> String {
    format!("/v1/namespaces/{}/settings", in_a_path(name))
}

fn page(path: &str, cursor: Option<&str>) -> String {
    match cursor {
        None => path.to_owned(),
        Some(cursor) => format!("{path}?cursor={}", in_a_path(cursor)),
    }
}

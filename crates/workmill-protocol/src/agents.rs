//! Registering agents.

use serde::{Deserialize, Serialize};

/// `POST /v1/agents`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterAgent {
    pub id: String,
    #[serde(default, rename = "type")]
    pub agent_type: String,
    #[serde(default)]
    pub capabilities: Vec<String>,
    #[serde(default)]
    pub models_available: Vec<String>,
    #[serde(default = "one")]
    pub max_concurrent_tasks: i32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredAgent {
    pub id: String,
}

fn one() -> i32 {
    1
}

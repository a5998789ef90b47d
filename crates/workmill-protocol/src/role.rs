//! Roles of keys, and what each may do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Submits work and looks at it.
    Producer,
    /// Registers itself, claims, and acts on its own leases.
    Agent,
    /// Everything on tasks and graphs of its namespace.
    Orchestrator,
    /// The above, and agents, limits and settings.
    Operator,
    /// Everything, in all namespaces.
    Admin,
}

/// What a call does, as far as roles are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    Submit,
    Look,
    /// Cancel, answer, decide about dead letters.
    Steer,
    /// Register an agent, claim for it, act on its leases.
    Work,
    /// Agents, limits and settings.
    Operate,
}

impl Role {
    pub const ALL: [Role; 5] = [
        Role::Producer,
        Role::Agent,
        Role::Orchestrator,
        Role::Operator,
        Role::Admin,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Role::Producer => "producer",
            Role::Agent => "agent",
            Role::Orchestrator => "orchestrator",
            Role::Operator => "operator",
            Role::Admin => "admin",
        }
    }

    pub const fn may(self, permission: Permission) -> bool {
        match (self, permission) {
            (Role::Admin | Role::Operator, _)
            | (Role::Producer | Role::Orchestrator, Permission::Submit | Permission::Look)
            | (Role::Orchestrator, Permission::Steer)
            | (Role::Agent, Permission::Work) => true,
            (Role::Producer, Permission::Steer)
            | (Role::Producer | Role::Orchestrator, Permission::Work)
            | (Role::Agent, Permission::Submit | Permission::Look | Permission::Steer)
            | (Role::Producer | Role::Orchestrator | Role::Agent, Permission::Operate) => false,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Role::ALL
            .into_iter()
            .find(|role| role.name() == text)
            .ok_or_else(|| {
                format!("`{text}` is not a role: producer, agent, orchestrator, operator or admin")
            })
    }
}

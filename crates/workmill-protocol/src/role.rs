//! Roles of keys, and what each may do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workmill_core::authority::Authority;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
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
    /// Look at one task: agents only at what a claim has handed them.
    LookAtTask,
    /// Fetch an output: agents only what a claim has handed them, also with a lease token.
    LookAtOutput,
    /// Cancel: producers only what they have submitted.
    Cancel,
    /// Answer, edit, decide about dead letters.
    Steer,
    /// Register an agent, claim for it.
    Work,
    /// Act on a lease: also with a token that is valid for this lease only.
    ActOnLease,
    /// Agents, limits and settings.
    Operate,
    /// Keys and namespaces.
    Administer,
}

impl Permission {
    pub const ALL: [Permission; 10] = [
        Permission::Submit,
        Permission::Look,
        Permission::LookAtTask,
        Permission::LookAtOutput,
        Permission::Cancel,
        Permission::Steer,
        Permission::Work,
        Permission::ActOnLease,
        Permission::Operate,
        Permission::Administer,
    ];

    /// Such calls of a namespace are gathered, or wait for work: many of them together have one
    /// transaction.
    pub const fn is_gathered(self) -> bool {
        match self {
            Permission::Submit | Permission::Work | Permission::ActOnLease => true,
            Permission::Look
            | Permission::LookAtTask
            | Permission::LookAtOutput
            | Permission::Cancel
            | Permission::Steer
            | Permission::Operate
            | Permission::Administer => false,
        }
    }
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
        use Permission::{
            ActOnLease, Administer, Cancel, Look, LookAtOutput, LookAtTask, Operate, Steer, Submit,
            Work,
        };
        match self {
            Role::Producer => matches!(
                permission,
                Submit | Look | LookAtTask | LookAtOutput | Cancel
            ),
            Role::Agent => {
                matches!(permission, Work | ActOnLease | LookAtTask | LookAtOutput)
            }
            Role::Orchestrator => {
                matches!(
                    permission,
                    Submit | Look | LookAtTask | LookAtOutput | Cancel | Steer
                )
            }
            Role::Operator => match permission {
                Submit | Look | LookAtTask | LookAtOutput | Cancel | Steer | Work | ActOnLease
                | Operate => true,
                Administer => false,
            },
            Role::Admin => true,
        }
    }

    /// It looks only at tasks that a claim has handed it.
    pub const fn looks_only_at_what_it_holds(self) -> bool {
        matches!(self, Role::Agent)
    }

    /// What it may refer to and decide besides.
    pub const fn authority(self) -> Authority {
        match self {
            Role::Producer => Authority::Producer,
            Role::Agent => Authority::Agent,
            Role::Orchestrator | Role::Operator | Role::Admin => Authority::Orchestrator,
        }
    }

    /// It cancels only what it has submitted.
    pub const fn cancels_only_its_own(self) -> bool {
        matches!(self, Role::Producer)
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

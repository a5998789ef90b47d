//! The bounds of what agents spawn: found before the call, kept in its transaction.

use workmill_core::authority::Authority;
use workmill_core::ids::LeaseId;
use workmill_core::spawning::{self, SpawnSettings};
use workmill_core::task::NewTask;
use workmill_store::beside::beside;
use workmill_store::intake::spawning::{SetSpawning, SpawnLimits, Spawner, TooMany};

use super::limits;
use crate::engine::{Caller, Engine};
use crate::error::EngineError;

/// Numbers that settings may have.
const MOST_COUNTED: u32 = 1_000_000;
const DEEPEST: u16 = 1_000;

/// How tasks that are spawned are bounded.
pub(super) struct Bounded {
    /// Bounds the drafts of the tasks. None: they stay as they were asked for.
    pub(super) spawner: Option<spawning::Spawner>,
    pub(super) limits: SpawnLimits,
    /// Why they are refused, unless they were spawned before.
    pub(super) beyond: Option<EngineError>,
}

impl Bounded {
    fn refused(beyond: Option<EngineError>) -> Bounded {
        Bounded {
            spawner: None,
            limits: SpawnLimits::Exceeded,
            beyond,
        }
    }
}

impl Engine {
    /// How far the agents of the caller's namespace may go when they spawn.
    pub async fn spawn_settings(&self, caller: &Caller) -> Result<SpawnSettings, EngineError> {
        Ok(self.store().find_spawn_settings(caller.ns).await?)
    }

    pub async fn set_spawn_settings(
        &self,
        caller: &Caller,
        settings: SpawnSettings,
    ) -> Result<(), EngineError> {
        for (field, number) in [
            ("most_tasks_per_lease", settings.most_tasks_per_lease),
            ("most_tasks_per_graph", settings.most_tasks_per_graph),
        ] {
            if number > MOST_COUNTED {
                let at = format!("spawning.{field}");
                return Err(EngineError::invalid(at, format!("at most {MOST_COUNTED}")));
            }
        }
        if settings.most_depth > DEEPEST {
            let problem = format!("at most {DEEPEST}");
            return Err(EngineError::invalid("spawning.most_depth", problem));
        }
        let operation = SetSpawning {
            ns: caller.ns,
            settings,
        };
        Ok(self.run_by(caller, &operation).await?)
    }

    /// Holds what a caller spawns within its bounds: the tasks are changed where they leave a choice.
    pub(super) async fn bound(
        &self,
        caller: &Caller,
        lease: LeaseId,
        tasks: &mut [NewTask],
    ) -> Result<Bounded, EngineError> {
        match caller.authority {
            Authority::Orchestrator => {
                return Ok(Bounded {
                    spawner: None,
                    limits: SpawnLimits::Unlimited,
                    beyond: None,
                });
            }
            Authority::Producer | Authority::Agent => {}
        }
        let store = self.store();
        let spawner = store.find_spawner(caller.ns, lease).await?;
        let Some(spawner) = spawner.filter(|spawner| spawner.key == caller.key) else {
            // It is not held, or by others: the transaction finds out, and answers a repeated call.
            return Ok(Bounded::refused(None));
        };
        let settings = store.find_spawn_settings(caller.ns).await?;
        let kin = store.find_agents_of_key(caller.ns, caller.key).await?;
        let spawner = in_core(spawner, kin);
        let (per_lease, per_graph) = (settings.most_tasks_per_lease, settings.most_tasks_per_graph);
        // The transaction counts those that were spawned before as well.
        let exceeds = |most: u32| u32::try_from(tasks.len()).is_ok_and(|count| count > most);
        if exceeds(per_lease) {
            return Ok(Bounded::refused(Some(too_many(TooMany::PerLease(
                per_lease,
            )))));
        }
        let within = spawner.check_depth(&settings).map_err(|beyond| (0, beyond));
        let within = within
            .and_then(|()| beside(limits::is_much(tasks), || spawner.bound(&settings, tasks)));
        Ok(match within {
            Ok(()) => Bounded {
                spawner: Some(spawner),
                limits: SpawnLimits::Limited {
                    per_lease,
                    per_graph,
                },
                beyond: None,
            },
            Err((place, beyond)) => {
                let at = match beyond.field {
                    "tasks" => "tasks".to_owned(),
                    field => format!("tasks[{place}].{field}"),
                };
                let beyond = EngineError::not_allowed(at, beyond.problem);
                Bounded::refused(Some(beyond))
            }
        })
    }
}

fn in_core(spawner: Spawner, kin: Vec<(String, String)>) -> spawning::Spawner {
    let left = spawner.left();
    let kin = kin
        .into_iter()
        .filter(|(_, kind)| *kind == spawner.agent_type);
    spawning::Spawner {
        kin: kin.map(|(name, _)| name).collect(),
        asked: spawner.asked,
        critical_path: spawner.policy.points_of_chain(spawner.critical_path),
        policy: spawner.policy,
        depth: u16::try_from(spawner.depth).unwrap_or(u16::MAX),
        agent: spawner.agent,
        agent_type: spawner.agent_type,
        left,
    }
}

pub(super) fn too_many(refused: TooMany) -> EngineError {
    let (most, what, setting) = match refused {
        TooMany::PerLease(most) => (most, "under one lease", "most_tasks_per_lease"),
        TooMany::PerGraph(most) => (most, "in one graph", "most_tasks_per_graph"),
    };
    let problem = format!(
        "at most {most} tasks may be spawned {what}: `{setting}` of the namespace's settings"
    );
    EngineError::not_allowed("tasks", problem)
}

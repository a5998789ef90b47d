//! Events in the log, once they are committed: `task.claimed` with its ids. What people and agents
//! wrote is left out.

use workmill_core::ids::Namespace;
use workmill_store::event::{LOG, Told};

pub(crate) fn write(ns: Namespace, told: &[Told]) {
    for one in told {
        let graph = one.graph.map(tracing::field::display);
        let task = one.task.map(tracing::field::display);
        let Told {
            agent,
            epoch,
            attempt,
            reason,
            cause,
            ..
        } = one;
        macro_rules! say {
            ($level:ident) => {
                tracing::$level!(
                    target: LOG, ns = ns.0, task, graph, agent, epoch, attempt, reason, cause,
                    "{}", one.event_type.name()
                )
            };
        }
        if one.event_type.is_bad_news() {
            say!(warn);
        } else {
            say!(info);
        }
    }
}

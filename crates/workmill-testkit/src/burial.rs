//! Many dead letters at once.

use anyhow::Result;
use jiff::Timestamp;
use tokio_postgres::Client;

/// Makes dead letters of all ready tasks that are in no graph, as if their only attempt had failed
/// at that moment, in one of three ways, for 100 millionths of a dollar.
pub async fn bury_ready_tasks(client: &Client, at: Timestamp) -> Result<()> {
    let script = format!(
        "create temporary table buried as
         select ns, task, '{at}'::timestamptz as at, abs(hashtext(task::text)) % 3 as fingerprint
         from workmill.ready;
         insert into workmill.attempt (
             ns, task, epoch, resumed, agent, outcome, reason, message, fingerprint, claimed_at,
             started_at, ended_at, cost_micros
         )
         select ns, task, 1, 0, 'agent', 'failed', 'crash', 'it broke', fingerprint, at, at, at, 100
         from buried;
         insert into workmill.dead_letter (ns, task, at, cause, reason, fingerprint, is_reviewed)
         select ns, task, at, 'used_up', 'crash', fingerprint, false from buried;
         update workmill.state set state = 9, epoch = epoch + 1, attempts = 1 where state = 2;
         delete from workmill.ready;
         drop table buried;"
    );
    Ok(client.batch_execute(&script).await?)
}

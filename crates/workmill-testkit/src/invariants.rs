//! What holds of the rows of a namespace at any moment, whoever is at work on them. Each
//! statement sees one snapshot, so it may be asked in the middle of everything.

use anyhow::Result;
use tokio_postgres::Client;

/// Each statement answers with what is wrong; none has rows when all is well.
const STATEMENTS: [(&str, &str); 8] = [
    (
        "a task rests in the one place of its state",
        "with places as (
             select task, 'ready' as place from workmill.ready where ns = $1
             union all select task, 'ready' from workmill.gated where ns = $1
             union all select task, 'due' from workmill.due where ns = $1
             union all select task, 'blocked' from workmill.blocked where ns = $1
             union all select task, 'finished' from workmill.finished where ns = $1
             union all select task, 'dead' from workmill.dead_letter where ns = $1
             union all
             select l.task, case when l.epoch = s.epoch then 'leased' else 'old lease' end
             from workmill.lease l
             join workmill.state s on s.ns = l.ns and s.task = l.task
             where l.ns = $1 and s.state <> 10
         ),
         found as (
             select task, string_agg(place, ', ' order by place) as place
             from places
             group by task
         )
         select format('%s in state %s is %s', task, s.state, coalesce(f.place, 'nowhere'))
         from workmill.state s
         full join found f using (task)
         where s.ns is not distinct from $1 and coalesce(f.place, '') <> case
             when s.state = 2 then 'ready'
             when s.state = 7 or (s.state = 1 and s.unmet = 0) then 'due'
             when s.state = 6 then 'blocked'
             when s.state in (3, 4, 5) then 'leased'
             when s.state in (8, 10, 11) then 'finished'
             when s.state = 9 then 'dead'
             else ''
         end",
    ),
    (
        "what is ready stands in its lane at its rank, what is due at its time",
        "select format('%s', s.task)
         from workmill.state s
         left join (
             select ns, task, lane, rank from workmill.ready
             union all select ns, task, lane, rank from workmill.gated
         ) as r on r.ns = s.ns and r.task = s.task
         left join workmill.due d on d.ns = s.ns and d.task = s.task
         where s.ns = $1 and ((r.lane, r.rank) <> (s.lane, s.rank) or d.at <> s.due)",
    ),
    (
        "exactly what is completed has a result",
        "select format('%s', s.task)
         from workmill.state s
         left join workmill.result r on r.ns = s.ns and r.task = s.task
         where s.ns = $1 and (s.state = 8) <> (r.task is not null)",
    ),
    (
        // Where a lost lease is a question to a person, the person may grant one more.
        "attempts stay within their maximum",
        "select format('%s: %s attempts', s.task, s.attempts)
         from workmill.state s
         join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
         where s.ns = $1 and (
             s.attempts < 0 or s.attempts > s.epoch
             or (
                 s.attempts > (p.policy ->> 'max_attempts')::integer
                 and p.policy ->> 'on_expiry' <> 'block'
             )
         )",
    ),
    (
        "no agent holds more than it has slots",
        "select format('%s holds %s', a.agent, count(*))
         from workmill.agent a
         join workmill.lease l on l.ns = a.ns and l.agent = a.agent
         where a.ns = $1
         group by a.agent, a.slots
         having count(*) > a.slots",
    ),
    (
        "the counter of unmet dependencies is right, and nothing runs that waits",
        "with counted as (
             select
                 s.task, s.state, s.unmet, count(d.task) filter (
                     where d.state <> 8 and not (s.on_dependency_failure = 3 and d.freed_runners)
                 ) as really
             from workmill.state s
             left join workmill.edge e on e.ns = s.ns and e.task = s.task
             left join workmill.state d on d.ns = s.ns and d.task = e.depends_on
             where s.ns = $1
             group by s.task, s.state, s.unmet
         )
         select format('%s in state %s: %s, really %s', task, state, unmet, really)
         from counted
         where unmet <> really or (unmet > 0 and state in (2, 3, 4, 5, 6, 7, 8, 9))",
    ),
    (
        "the tally of a graph is the count of its tasks",
        "select format('%s %s', g.graph, g.status)
         from workmill.graph g
         join workmill.state s on s.ns = g.ns and s.graph = g.graph
         where g.ns = $1
         group by g.ns, g.graph
         having (g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving) <> (
             count(*),
             count(*) filter (where s.state = 8), count(*) filter (where s.state = 10),
             count(*) filter (where s.state = 11), count(*) filter (where s.state = 9),
             count(*) filter (where s.state between 1 and 7 and s.unmet = 0)
         )",
    ),
    (
        "a graph has cost what its tasks have cost, and what those have that were removed",
        "select format('%s: %s', g.graph, g.spent_micros)
         from workmill.graph g
         join workmill.state s on s.ns = g.ns and s.graph = g.graph and s.in_graph
         where g.ns = $1
         group by g.ns, g.graph
         having g.spent_micros < sum(s.spent_micros)",
    ),
];

/// What is wrong in the namespace; empty when all is well.
pub async fn violations(client: &Client, ns: i64) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (promise, statement) in STATEMENTS {
        for row in client.query(statement, &[&ns]).await? {
            found.push(format!("not so: {promise}: {}", row.get::<_, String>(0)));
        }
    }
    Ok(found)
}

/// Every event that was written has its place, without a gap, once.
pub async fn events_without_place(client: &Client, ns: i64) -> Result<Vec<String>> {
    let row = client
        .query_one(
            "select
                 (select count(*) from workmill.event where ns = $1),
                 (select count(distinct batch) from workmill.event_order where ns = $1),
                 (select count(*) from workmill.event_order where ns = $1),
                 (select coalesce(sum(json_array_length(facts)), 0)
                  from workmill.event where ns = $1)::bigint,
                 (select coalesce(max(seq), 0) from workmill.event_order where ns = $1)",
            &[&ns],
        )
        .await?;
    let counts: [i64; 5] = std::array::from_fn(|column| row.get(column));
    let [batches, different, places, events, last] = counts;
    let is_whole = batches == different && batches == places && events == last;
    Ok(if is_whole {
        vec![]
    } else {
        vec![format!(
            "batches, different ones, their places, events and last place: {counts:?}"
        )]
    })
}

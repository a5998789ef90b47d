//! Statements that compare tasks of several lanes: each computes the effective priority as
//! `workmill_core::rank::effective` does.

use anyhow::Result;
use workmill_core::rank::{effective, rank_at};
use workmill_testkit::database::TestDatabase;

use crate::statements::read_all_statements;

/// The expressions of a statement that combine the rank of a task with the ageing of its lane.
fn expressions(statement: &str) -> Vec<String> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let column = |word: &str, name: &str| {
        let word = word.trim_matches([',', '(', ')']);
        word.split_once('.')
            .is_some_and(|(_, column)| column == name)
    };
    let combines = |words: &&[&str]| column(words[0], "rank") && column(words[2], "aged");
    let found = words.windows(3).filter(combines);
    found
        .map(|words| format!("t.rank {} t.aged", words[1]))
        .collect()
}

/// Ranks and ageing as they occur: up to the year 9999, with the steepest boost.
fn values() -> (Vec<i64>, Vec<i64>) {
    const MOST: u64 = 1 << 52;
    let mut seed = 88_172_645_463_325_252_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        i64::try_from(seed % MOST).unwrap_or(0) - i64::try_from(MOST / 2).unwrap_or(0)
    };
    (0..500).map(|_| (next(), next())).unzip()
}

#[tokio::test]
async fn statements_compute_the_effective_priority_as_core_does() -> Result<()> {
    let database = TestDatabase::new().await?;
    let client = database.client().await?;
    let (ranks, aged) = values();
    let pairs = ranks.iter().zip(&aged);
    let expected: Vec<i64> = pairs.map(|(rank, aged)| effective(*rank, *aged)).collect();
    let mut compared = 0;
    for statement in read_all_statements()? {
        let expressions = expressions(&statement.text);
        let orders_lanes =
            statement.text.contains("(lane, aged") || statement.text.contains(", aged)");
        assert_eq!(!expressions.is_empty(), orders_lanes, "{}", statement.name);
        for expression in expressions {
            let compute = format!(
                "select {expression} from unnest($1::bigint[], $2::bigint[]) \
                 with ordinality as t (rank, aged, place) order by place"
            );
            let rows = client.query(&compute, &[&ranks, &aged]).await?;
            let computed: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
            let wrong = ranks.iter().zip(&aged).zip(computed.iter().zip(&expected));
            let wrong = wrong.filter(|(_, (computed, expected))| computed != expected);
            let name = format!("{}: {expression}", statement.name);
            assert_eq!(wrong.collect::<Vec<_>>().first(), None, "{name}");
            assert_eq!(computed.len(), expected.len(), "{name}");
            compared += 1;
        }
    }
    assert!(
        compared >= 4,
        "claims, gates, explain and dry runs: {compared}"
    );
    Ok(())
}

#[test]
fn a_bound_on_ranks_is_the_inverse_of_the_effective_priority() {
    let (ranks, aged) = values();
    for (rank, aged) in ranks.into_iter().zip(aged) {
        assert_eq!(rank_at(effective(rank, aged), aged), rank);
    }
}

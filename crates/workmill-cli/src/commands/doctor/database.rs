//! The database: reachable, fit for Workmill, up to date, durable, with room, with the right time.

use std::error::Error;

use jiff::{SignedDuration, Timestamp};
use workmill_store::doctor::{DatabaseFacts, facts};
use workmill_store::fitness::Unfit;
use workmill_store::{StoreError, migrate};

use super::finding::Finding;
use crate::database_address::address;

/// Leases are counted by the database's clock; this much between the clocks only confuses logs.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(2);

/// Says whether the database could be reached.
pub(super) async fn examine(url: &str, findings: &mut Vec<Finding>) -> bool {
    let asked = Timestamp::now();
    let facts = match facts(url).await {
        Ok(facts) => facts,
        Err(error) => {
            findings.push(unreachable(url, &error));
            return false;
        }
    };
    let answered = Timestamp::now();
    findings.push(Finding::ok(
        "database",
        format!("answers at {}", address(url)),
    ));
    if !matches!(facts.unfit, Some(Unfit::TooOld { .. })) {
        let found = format!("PostgreSQL {}", facts.version);
        findings.push(Finding::ok("version", found));
    }
    match &facts.unfit {
        Some(unfit) => findings.push(problem(unfit)),
        None => findings.push(schema(&facts, migrate::check(url).await)),
    }
    durability(&facts, findings);
    findings.push(connections(&facts));
    findings.push(clock(facts.clock, asked, answered));
    true
}

fn problem(unfit: &Unfit) -> Finding {
    let check = match unfit {
        Unfit::TooOld { .. } => "version",
        Unfit::NotUtf8 { .. } => "encoding",
        Unfit::Standby => "standby",
        Unfit::ReadOnly { .. } => "read-only",
        Unfit::MayNotCreateSchema { .. }
        | Unfit::NotTheOwner { .. }
        | Unfit::OwnersDiffer { .. } => "rights",
        Unfit::NoSuchDatabase { .. }
        | Unfit::WrongPassword { .. }
        | Unfit::NoPassword { .. }
        | Unfit::NoLogin { .. }
        | Unfit::NoConnectionLeft { .. }
        | Unfit::NoTls { .. }
        | Unfit::NotAdmitted { .. }
        | Unfit::MayNotConnect { .. } => "database",
    };
    Finding::problem(check, unfit.cause(), unfit.remedy())
}

fn unreachable(url: &str, error: &StoreError) -> Finding {
    if let StoreError::Unfit(unfit) = error {
        return problem(unfit);
    }
    let cause = error
        .source()
        .map(|cause| format!(": {cause}"))
        .unwrap_or_default();
    Finding::problem(
        "database",
        format!("{error}{cause} ({})", address(url)),
        "check that it runs, and that DATABASE_URL has the right host, port, name, user and password",
    )
}

fn schema(facts: &DatabaseFacts, checked: Result<(), StoreError>) -> Finding {
    let newest = migrate::newest_version();
    let found = match facts.schema_version {
        None => "there is no schema yet".to_owned(),
        Some(version) => format!("version {version}, and this program knows {newest}"),
    };
    match checked {
        Ok(()) => Finding::ok("schema", found),
        Err(error) => Finding::problem("schema", found, error.to_string()),
    }
}

fn durability(facts: &DatabaseFacts, findings: &mut Vec<Finding>) {
    let off: Vec<&str> = facts
        .durability
        .iter()
        .filter(|(_, value)| value == "off")
        .map(|(name, _)| name.as_str())
        .collect();
    if off.is_empty() {
        let settings: Vec<String> = facts
            .durability
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        findings.push(Finding::ok("durability", settings.join(", ")));
        return;
    }
    findings.push(Finding::problem(
        "durability",
        format!(
            "{} off: a crash can lose what was acknowledged",
            off.join(", ")
        ),
        format!(
            "turn it on: {}",
            off.iter().map(turn_on).collect::<Vec<_>>().join(" ")
        ),
    ));
}

fn turn_on(setting: &&str) -> String {
    format!("alter system set {setting} = on; select pg_reload_conf();")
}

fn connections(facts: &DatabaseFacts) -> Finding {
    let found = format!(
        "{} of {} in use",
        facts.connections_in_use, facts.max_connections
    );
    let most = i64::from(facts.max_connections);
    if facts.connections_in_use * 10 < most * 9 {
        return Finding::ok("connections", found);
    }
    Finding::warning(
        "connections",
        found,
        "raise max_connections, or find out who holds them: select * from pg_stat_activity",
    )
}

/// The answer was made somewhere between asking and answering; only what lies outside of that
/// can be a difference between the clocks.
fn clock(there: Timestamp, asked: Timestamp, answered: Timestamp) -> Finding {
    let half = answered.duration_since(asked) / 2;
    let difference = there.duration_since(asked + half);
    let milliseconds = difference.as_millis();
    if difference.abs() <= half + CLOCK_TOLERANCE {
        return Finding::ok(
            "clock",
            format!("{milliseconds} ms apart from the database's"),
        );
    }
    Finding::warning(
        "clock",
        format!("this machine and the database are {milliseconds} ms apart"),
        "let both keep time with NTP; Workmill itself counts by the database's clock",
    )
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn a_slow_answer_is_no_difference_between_clocks() {
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(clock(at(100), at(100), at(108)).level, Level::Ok);
        assert_eq!(clock(at(110), at(100), at(100)).level, Level::Warning);
        assert_eq!(clock(at(90), at(100), at(102)).level, Level::Warning);
    }
}

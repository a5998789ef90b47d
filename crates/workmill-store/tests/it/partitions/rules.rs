//! The rules that let a distributed database answer a statement of the catalogue: rows are spread over
//! machines by `ns`, and only what names one namespace stays on one machine.

use std::collections::BTreeSet;

use super::syntax::{Node, Table, common_tables, groups, read, tables};

/// Tables that a distributed database keeps whole on each machine or on the coordinator: they are small,
/// or have a trigger or row-level security.
const NOT_DISTRIBUTED: &[&str] = &[
    "namespace",
    "api_key",
    "compatibility",
    "liveness",
    "secret",
    "inbox",
    "inbox_grant",
];

/// Functions that answer differently at each call. A distributed database would ask another machine.
const CLOCKS: &[&str] = &[
    "now",
    "clock_timestamp",
    "statement_timestamp",
    "transaction_timestamp",
    "timeofday",
    "random",
    "gen_random_uuid",
    "nextval",
];
const CLOCKS_WITHOUT_PARENTHESES: &[&str] = &[
    "current_timestamp",
    "current_time",
    "current_date",
    "localtimestamp",
    "localtime",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A statement is sent alone.
    OneStatement,
    /// No insert in another statement, and no lock in a common table expression. A delete or an update
    /// before a write is sent to one machine with it.
    NoNestedInsert,
    /// Each table is restricted to the namespace `:ns`; reads over all namespaces are listed.
    OneNamespace,
    /// A list of namespaces is compared with `anchor.ns`, not unnested.
    NamespacesFromAnchor,
    /// The clock is read by a plain select of its own.
    NoClock,
    NoAdvisoryLock,
    /// `pg_notify` is called alone.
    LoneNotify,
}

/// The rules that a statement breaks. `is_wide`: it is listed as a read over all namespaces.
pub fn broken(statement: &str, is_wide: bool) -> BTreeSet<Rule> {
    let nodes = read(statement);
    let all = groups(&nodes);
    let mut broken = BTreeSet::new();
    let mut check = |rule, is_broken: bool| {
        if is_broken {
            broken.insert(rule);
        }
    };
    check(
        Rule::OneStatement,
        all.iter().any(|group| group.contains(&Node::Symbol(';'))),
    );
    check(Rule::NoNestedInsert, has_nested_insert(&all));
    let may_be_wide = is_wide && !all.iter().any(|group| writes(group) || locks(group));
    check(
        Rule::OneNamespace,
        !may_be_wide && !is_restricted(&nodes, &BTreeSet::new()),
    );
    check(
        Rule::NamespacesFromAnchor,
        all.iter().any(|group| unnests_namespaces(group)),
    );
    check(
        Rule::NoClock,
        all.iter().any(|group| has_clock(group)) && !is_plain_clock(&nodes),
    );
    let has = |test: fn(&str) -> bool| {
        let mut words = all.iter().copied().flatten().filter_map(Node::word);
        words.any(test)
    };
    check(Rule::NoAdvisoryLock, has(|word| word.contains("advisory")));
    let is_plain_call = nodes.len() == 3 && nodes[0].is("select") && nodes[1].is("pg_notify");
    check(
        Rule::LoneNotify,
        has(|word| word == "pg_notify") && !is_plain_call,
    );
    broken
}

/// Whether a group is a write: with or without common table expressions before it.
fn writes(group: &[Node]) -> bool {
    verb(group).is_some_and(|verb| verb != "select")
}

fn verb(group: &[Node]) -> Option<&str> {
    let first = group.first()?.word()?;
    if first != "with" {
        return ["select", "insert", "update", "delete"]
            .contains(&first)
            .then_some(first);
    }
    let verbs = ["select", "insert", "update", "delete"];
    group
        .iter()
        .filter_map(Node::word)
        .find(|word| verbs.contains(word))
}

fn locks(group: &[Node]) -> bool {
    group
        .windows(2)
        .any(|pair| pair[0].is("for") && pair[1].is_one_of(&["update", "share", "no", "key"]))
}

fn has_nested_insert(all: &[&[Node]]) -> bool {
    let is_nested = all
        .iter()
        .skip(1)
        .any(|group| verb(group) == Some("insert"));
    let mut common = all.iter().flat_map(|group| common_tables(group));
    is_nested || common.any(|body| groups(body).iter().any(|group| locks(group)))
}

/// Whether each table of a query and of its subqueries is restricted to the namespace `:ns`. `outer`:
/// the restricted tables of the queries around it.
fn is_restricted(query: &[Node], outer: &BTreeSet<&str>) -> bool {
    let parts = query.split(|node| node.is_one_of(&["union", "except", "intersect"]));
    parts
        .into_iter()
        .all(|part| is_part_restricted(part, outer))
}

fn is_part_restricted(part: &[Node], outer: &BTreeSet<&str>) -> bool {
    let own: Vec<Table<'_>> = tables(part);
    let target = inserted(part);
    let read = own.iter().skip(usize::from(target.is_some()));
    let mut restricted = outer.clone();
    for table in &own {
        restricted.remove(table.alias);
    }
    // A condition beside an `or` restricts nothing.
    let conditions = if has_or(part) {
        Vec::new()
    } else {
        equations(part)
    };
    loop {
        let before = restricted.len();
        for (one, other) in &conditions {
            let (one, other) = (resolve(one, &own), resolve(other, &own));
            match (one, other) {
                (Side::Ns, Side::Of(alias)) | (Side::Of(alias), Side::Ns) => {
                    restricted.insert(alias);
                }
                (Side::Of(a), Side::Of(b)) if restricted.contains(a) || restricted.contains(b) => {
                    restricted.extend([a, b]);
                }
                _ => {}
            }
        }
        if restricted.len() == before {
            break;
        }
    }
    let mut read = read.filter(|table| !NOT_DISTRIBUTED.contains(&table.name));
    let are_read_within = read.all(|table| restricted.contains(table.alias));
    let is_inserted_within = target.is_none_or(|insert| {
        NOT_DISTRIBUTED.contains(&own[0].name) || insert.is_restricted(&restricted)
    });
    are_read_within
        && is_inserted_within
        && part.iter().all(|node| match node {
            Node::Group(group) => is_restricted(group, &restricted),
            _ => true,
        })
}

/// Whether conditions of a query are joined by `or`; those within `case` are values.
fn has_or(part: &[Node]) -> bool {
    let mut cases = 0;
    part.iter().any(|node| {
        cases += i32::from(node.is("case")) - i32::from(node.is("end"));
        cases == 0 && node.is("or")
    })
}

/// One side of a comparison of namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side<'a> {
    /// The parameter `:ns`.
    Ns,
    /// The namespace of the table with this alias.
    Of(&'a str),
    /// `ns` without a table.
    Bare,
}

/// `ns` alone means the only table.
fn resolve<'a>(side: &Side<'a>, own: &[Table<'a>]) -> Side<'a> {
    match (side, own) {
        (Side::Bare, [only]) => Side::Of(only.alias),
        _ => *side,
    }
}

/// The comparisons of namespaces among the conditions of a query.
fn equations(part: &[Node]) -> Vec<(Side<'_>, Side<'_>)> {
    let mut found = Vec::new();
    for (at, node) in part.iter().enumerate() {
        if !node.is_one_of(&["where", "and", "on"]) {
            continue;
        }
        let Some((one, after)) = side(&part[at + 1..]) else {
            continue;
        };
        let [Node::Symbol('='), after @ ..] = after else {
            continue;
        };
        found.extend(side(after).map(|(other, _)| (one, other)));
    }
    found
}

fn side(nodes: &[Node]) -> Option<(Side<'_>, &[Node])> {
    match nodes {
        [Node::Parameter(name), after @ ..] if name == "ns" => Some((Side::Ns, after)),
        [
            Node::Word(alias),
            Node::Symbol('.'),
            Node::Word(ns),
            after @ ..,
        ] if ns == "ns" => Some((Side::Of(alias), after)),
        [Node::Word(ns), after @ ..] if ns == "ns" => Some((Side::Bare, after)),
        _ => None,
    }
}

/// What an insert says of its rows.
struct Insert<'a> {
    columns: &'a [Node],
    /// The first value of the rows.
    first: &'a [Node],
}

impl Insert<'_> {
    /// `ns` is the first column, and its value is `:ns` or the namespace of a restricted table.
    fn is_restricted(&self, restricted: &BTreeSet<&str>) -> bool {
        self.columns.first().is_some_and(|column| column.is("ns"))
            && side(self.first).is_some_and(|(side, _)| match side {
                Side::Ns => true,
                Side::Of(alias) => restricted.contains(alias),
                Side::Bare => false,
            })
    }
}

fn inserted(part: &[Node]) -> Option<Insert<'_>> {
    let at = part.iter().position(|node| node.is("into"))?;
    let mut after = part[at..].iter().enumerate();
    let columns = after.find_map(|(_, node)| match node {
        Node::Group(columns) => Some(columns.as_slice()),
        _ => None,
    });
    let (source, verb) = after.find(|(_, node)| node.is_one_of(&["select", "values"]))?;
    let rows = &part[at + source + 1..];
    let first = match rows {
        [Node::Group(values), ..] if verb.is("values") => values,
        _ => rows,
    };
    Some(Insert {
        columns: columns.unwrap_or_default(),
        first,
    })
}

fn unnests_namespaces(group: &[Node]) -> bool {
    group.windows(2).any(|pair| match &pair[1] {
        Node::Group(arguments) if pair[0].is("unnest") => arguments.iter().any(|node| {
            matches!(node, Node::Parameter(name) if ["namespaces", "waited_in"].contains(&name.as_str()))
        }),
        _ => false,
    })
}

fn has_clock(group: &[Node]) -> bool {
    let is_called = group.windows(2).any(|pair| {
        pair[0].is_one_of(CLOCKS)
            && matches!(&pair[1], Node::Group(arguments) if arguments.is_empty())
    });
    is_called
        || group
            .iter()
            .any(|node| node.is_one_of(CLOCKS_WITHOUT_PARENTHESES))
}

/// `select clock_timestamp()`, under any name.
fn is_plain_clock(nodes: &[Node]) -> bool {
    let [select, call @ ..] = nodes else {
        return false;
    };
    let call = match call {
        [call @ .., name, Node::Word(_)] if name.is("as") => call,
        _ => call,
    };
    select.is("select") && call.len() == 2 && has_clock(call)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_broken(statement: &str, rules: &[Rule]) {
        let expected: BTreeSet<Rule> = rules.iter().copied().collect();
        assert_eq!(broken(statement, false), expected, "{statement}");
    }

    #[test]
    fn statements_that_name_their_namespace_break_no_rule() {
        for statement in [
            "select t.at from workmill.due t where t.ns = :ns and (t.at < :now or :all)",
            "select s.task from unnest(:tasks::uuid[]) as u (task) cross join lateral (
                 select t.task from workmill.state t where t.ns = :ns and t.task = u.task
                 for update skip locked
             ) as s",
            "insert into workmill.due (ns, at, task) select a.ns, u.at, u.task
             from workmill.anchor a, unnest(:ats, :tasks) as u (at, task) where a.ns = :ns
             on conflict (ns, task) do update set at = case when a or b then c end",
            "insert into workmill.due (ns, at) values (:ns, :now) on conflict do nothing",
            "update workmill.gate set cap = ';--(' where ns = :ns and gate = :gate",
            "delete from workmill.lease l using workmill.agent a
             where a.ns = :ns and l.ns = a.ns and l.agent = a.agent",
            "with old as (select k.task from workmill.due k where k.ns = :ns)
             delete from workmill.due d using old o where d.ns = :ns and d.task = o.task",
            "select 1 from workmill.edge e where e.ns = :ns and exists (
                 select from workmill.state s where s.ns = e.ns and s.task = e.task)",
            "insert into workmill.liveness (one_row, at) values (true, :now)",
            "with d as (delete from workmill.due d where d.ns = :ns)
             update workmill.lane_bound set most = workmill.lane_bound.most where ns = :ns",
            "select clock_timestamp() as now",
            "select pg_notify(:channel, :text)",
        ] {
            assert_broken(statement, &[]);
        }
    }

    #[test]
    fn two_statements_in_one_message_are_found() {
        assert_broken("select 1; select 2", &[Rule::OneStatement]);
    }

    #[test]
    fn inserts_and_locks_within_another_statement_are_found() {
        for statement in [
            "with a as (insert into workmill.due (ns) values (:ns)) select 1",
            "with recursive a (b) as materialized (
                 with x as (select 1) insert into workmill.due (ns) select :ns from x
             ) select 1",
            "with a as (select d.at from workmill.due d where d.ns = :ns for update) select at from a",
            "with a as (select x.at from (
                 select d.at from workmill.due d where d.ns = :ns for key share) as x) select at from a",
        ] {
            assert_broken(statement, &[Rule::NoNestedInsert]);
        }
    }

    #[test]
    fn tables_of_any_namespace_are_found() {
        for statement in [
            "select task from workmill.state where task = :task",
            "select s.task from workmill.state s where s.ns = :ns or s.task = :task",
            "select s.task from workmill.state s where s.ns = u.ns",
            "select s.task from workmill.state s, workmill.spec p where s.ns = :ns and p.task = s.task",
            "select 1 from workmill.state s where s.ns = :ns union all select 1 from workmill.edge e",
            "update workmill.lease l set renewed_at = :now where l.task = any(:tasks)",
            "update workmill.lease l set ns = :ns",
            "with d as (delete from workmill.due d where d.task = :task) select 1",
            "delete from workmill.due d using workmill.state s where s.ns = :ns and d.task = s.task",
            "select d.at from unnest(:tasks) as u (task) cross join lateral (
                 select t.at from workmill.due t where t.task = u.task for update) as d",
            "insert into workmill.due (at, ns) values (:at, :ns)",
            "insert into workmill.due (ns, at) select u.ns, u.at from unnest(:many, :ats) as u (ns, at)",
        ] {
            assert_broken(statement, &[Rule::OneNamespace]);
        }
    }

    #[test]
    fn a_listed_read_may_go_over_all_namespaces_and_a_write_may_not() {
        let read = "select l.task from workmill.lease l where l.renewed_at < :now";
        assert_eq!(broken(read, true), BTreeSet::new());
        for write in [
            "update workmill.lease l set renewed_at = :now",
            "select l.task from workmill.lease l where l.renewed_at < :now for update skip locked",
        ] {
            assert_eq!(
                broken(write, true),
                BTreeSet::from([Rule::OneNamespace]),
                "{write}"
            );
        }
        let unnested = "select k.task from unnest(:namespaces::bigint[]) as u (ns)
            cross join lateral (select l.task from workmill.lease l where l.ns = u.ns) as k";
        assert_eq!(
            broken(unnested, true),
            BTreeSet::from([Rule::NamespacesFromAnchor])
        );
    }

    #[test]
    fn clocks_beside_something_else_are_found() {
        for statement in [
            "update workmill.due d set at = now() where d.ns = :ns",
            "insert into workmill.due (ns, at) values (:ns, clock_timestamp())",
            "select coalesce(:now, clock_timestamp())",
            "select case when :a then current_timestamp end",
            "delete from workmill.due d where d.ns = :ns returning statement_timestamp()",
            "select d.at, clock_timestamp() from workmill.due d where d.ns = :ns",
        ] {
            assert_broken(statement, &[Rule::NoClock]);
        }
    }

    #[test]
    fn advisory_locks_are_found() {
        assert_broken(
            "select pg_try_advisory_xact_lock(:ns)",
            &[Rule::NoAdvisoryLock],
        );
    }

    #[test]
    fn notifications_beside_something_else_are_found() {
        assert_broken(
            "select pg_notify(:channel, d.task) from workmill.due d where d.ns = :ns",
            &[Rule::LoneNotify],
        );
    }
}

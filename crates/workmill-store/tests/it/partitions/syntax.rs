//! A statement of the catalogue as nested groups of words: as much syntax as the rules need.

/// The words of a statement; a pair of parentheses is one node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A keyword or a name, in lower case.
    Word(String),
    /// `:ns`, without the colon.
    Parameter(String),
    Symbol(char),
    /// A number, a text, or a quoted name.
    Literal,
    Group(Vec<Node>),
}

impl Node {
    pub fn is(&self, word: &str) -> bool {
        matches!(self, Node::Word(this) if this == word)
    }

    pub fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    pub fn word(&self) -> Option<&str> {
        match self {
            Node::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Reads a statement that names its parameters and has no comments.
pub fn read(statement: &str) -> Vec<Node> {
    let mut open: Vec<Vec<Node>> = vec![Vec::new()];
    let mut rest = statement;
    while let Some(first) = rest.chars().next() {
        let (length, node) = match first {
            '\'' | '"' => (quoted(rest, first), Some(Node::Literal)),
            '(' => {
                open.push(Vec::new());
                (1, None)
            }
            ')' => {
                let group = open.pop().expect("a parenthesis is closed once");
                (1, Some(Node::Group(group)))
            }
            '0'..='9' => (of_a_name(rest), Some(Node::Literal)),
            ':' if of_a_name(&rest[1..]) > 0 => {
                let length = 1 + of_a_name(&rest[1..]);
                (length, Some(Node::Parameter(rest[1..length].to_owned())))
            }
            ':' if rest.starts_with("::") => {
                let length = 2 + of_a_name(&rest[2..]);
                (length, None)
            }
            _ if first.is_whitespace() => (first.len_utf8(), None),
            _ if of_a_name(rest) > 0 => {
                let length = of_a_name(rest);
                (length, Some(Node::Word(rest[..length].to_lowercase())))
            }
            _ => (first.len_utf8(), Some(Node::Symbol(first))),
        };
        let group = open.last_mut().expect("the statement itself stays open");
        group.extend(node);
        rest = &rest[length..];
    }
    assert_eq!(open.len(), 1, "each parenthesis is closed: {statement}");
    open.pop().unwrap_or_default()
}

/// The length of a text in quotes; a doubled quote does not end it.
fn quoted(text: &str, quote: char) -> usize {
    let mut end = 1;
    while let Some(at) = text[end..].find(quote) {
        end += at + 1;
        if !text[end..].starts_with(quote) {
            return end;
        }
        end += 1;
    }
    text.len()
}

fn of_a_name(text: &str) -> usize {
    let end = text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    end.unwrap_or(text.len())
}

/// All groups of a statement, itself first.
pub fn groups(nodes: &[Node]) -> Vec<&[Node]> {
    let mut all = vec![nodes];
    for node in nodes {
        if let Node::Group(group) = node {
            all.extend(groups(group));
        }
    }
    all
}

/// The bodies of the common table expressions of a query.
pub fn common_tables(nodes: &[Node]) -> Vec<&[Node]> {
    let mut bodies = Vec::new();
    if !nodes.first().is_some_and(|first| first.is("with")) {
        return bodies;
    }
    for pair in nodes.windows(2) {
        if pair[0].is_one_of(&["select", "insert", "update", "delete"]) {
            break;
        }
        if let (true, Node::Group(body)) = (pair[0].is_one_of(&["as", "materialized"]), &pair[1]) {
            bodies.push(body.as_slice());
        }
    }
    bodies
}

/// A table of the schema and the name that the query has for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table<'a> {
    pub name: &'a str,
    pub alias: &'a str,
}

/// The tables that a query names itself, without those of its subqueries.
pub fn tables(query: &[Node]) -> Vec<Table<'_>> {
    let mut tables = Vec::new();
    for (at, window) in query.windows(3).enumerate() {
        let [schema, dot, name] = window else {
            continue;
        };
        if !schema.is("workmill") || *dot != Node::Symbol('.') {
            continue;
        }
        let before = at.checked_sub(1).map(|before| &query[before]);
        let is_read = before.is_some_and(|node| {
            node.is_one_of(&["from", "join", "into", "update", "using"])
                || *node == Node::Symbol(',')
        });
        if !is_read {
            continue;
        }
        let Some(name) = name.word() else { continue };
        let mut after = query[at + 3..].iter().filter(|node| !node.is("as"));
        let alias = after.next().and_then(Node::word);
        let alias = alias.filter(|word| !AFTER_A_TABLE.contains(word));
        tables.push(Table {
            name,
            alias: alias.unwrap_or(name),
        });
    }
    tables
}

/// Words that can follow a table without an alias.
const AFTER_A_TABLE: &[&str] = &[
    "where", "set", "on", "join", "cross", "left", "inner", "order", "group", "limit", "offset",
    "for", "union", "using", "values", "select", "default",
];

//! The values of a document with their places.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use serde_saphyr::Spanned;

/// Both count from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: u64,
    pub(super) column: u64,
}

#[derive(Debug)]
pub(super) struct Node {
    place: Position,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Plain(Value),
    List(Vec<Node>),
    /// Each member with the place of its name.
    Object(Vec<(String, Position, Node)>),
}

impl Node {
    pub(super) fn into_value(self) -> Value {
        match self.content {
            Content::Plain(value) => value,
            Content::List(items) => items.into_iter().map(Node::into_value).collect(),
            Content::Object(members) => {
                let members = members.into_iter();
                let members = members.map(|(name, _, node)| (name, node.into_value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }

    /// The place of `tasks[1].title` or `tasks.1.title`, of the member's name or of the item of a list,
    /// and what it is called. What is not there is looked for where it should be. `None`: all of it is
    /// meant.
    pub(super) fn find(&self, path: &str) -> Option<(Position, String)> {
        let (mut node, mut place, mut way) = (Some(self), self.place, String::new());
        for step in path.split(['.', '[', ']']).filter(|step| !step.is_empty()) {
            let is_item = step.bytes().all(|letter| letter.is_ascii_digit());
            match way.as_str() {
                _ if is_item => way = format!("{way}[{step}]"),
                "" => step.clone_into(&mut way),
                _ => way = format!("{way}.{step}"),
            }
            let next = node.and_then(|node| node.step(step));
            node = next.map(|(at, next)| {
                place = at;
                next
            });
        }
        (!way.is_empty()).then_some((place, way))
    }

    fn step(&self, step: &str) -> Option<(Position, &Node)> {
        match &self.content {
            Content::Plain(_) => None,
            Content::List(items) => {
                let item = items.get(step.parse::<usize>().ok()?)?;
                Some((item.place, item))
            }
            Content::Object(members) => {
                let (_, place, node) = members.iter().find(|(name, ..)| name == step)?;
                Some((*place, node))
            }
        }
    }
}

impl Position {
    pub(super) fn new(line: usize, column: usize) -> Self {
        let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        Position {
            line: number(line),
            column: number(column),
        }
    }

    fn of<T>(spanned: &Spanned<T>) -> Self {
        Position {
            line: spanned.referenced.line(),
            column: spanned.referenced.column(),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned: Spanned<Content> = Spanned::deserialize(deserializer)?;
        Ok(Node {
            place: Position::of(&spanned),
            content: spanned.value,
        })
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON has, too")
    }

    fn visit_unit<E>(self) -> Result<Content, E> {
        Ok(Content::Plain(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Content, E> {
        Ok(Content::Plain(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Content, E> {
        Ok(Content::Plain(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Content, E> {
        Ok(Content::Plain(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Content, E> {
        Ok(Content::Plain(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Content, E> {
        Ok(Content::Plain(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Content, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Content::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content, A::Error> {
        let mut members = Vec::new();
        while let Some((name, node)) = map.next_entry::<Spanned<String>, Node>()? {
            let place = Position::of(&name);
            members.push((name.value, place, node));
        }
        Ok(Content::Object(members))
    }
}

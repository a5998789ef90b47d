//! What one reading of JSON may cost in memory, and where it stands.
//!
//! Text and memory differ by a factor of a hundred: `{"":0}` has seven bytes and takes a tree node of more
//! than six hundred. [`ReadState`] counts what each value takes while it is read, and ends the reading where
//! that exceeds the bound. The figures are those of `serde_json::Value` on a 64-bit machine, rounded up.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;

use serde::de::Error;

/// The first node of a map, which holds up to eleven members.
const MAP: usize = 640;
/// One more member of a map, its share of nodes that are half full, without its name.
const MEMBER: usize = 128;
/// A text on the heap, besides its bytes.
const TEXT: usize = 32;
/// Tasks and the like: few bytes of text may stand for one, and their lists have bounds of their own.
const LARGE_ITEM: usize = 256;

/// Of a name, so many characters are repeated in an error.
const LONGEST_NAME: usize = 100;

/// A place with more steps than this says less than the field that holds it.
const MOST_STEPS: usize = 64;

/// The first node of the set of names that finds a member that is there twice.
const NAMES: usize = 288;
/// One more name of it.
const NAME: usize = 88;

#[derive(Debug)]
pub struct ReadState {
    most: usize,
    left: Cell<usize>,
    /// Values are not kept, only looked at.
    is_look: bool,
    is_exhausted: Cell<bool>,
    /// From the place of an error outwards.
    steps: RefCell<Vec<Step>>,
}

#[derive(Debug)]
enum Step {
    /// A field of a request.
    Field(String),
    /// A member of an object that may have any.
    Member(String),
    Item(usize),
}

impl ReadState {
    /// Values may take this many bytes.
    pub fn new(most: usize) -> Self {
        ReadState {
            most,
            left: Cell::new(most),
            is_look: false,
            is_exhausted: Cell::new(false),
            steps: RefCell::default(),
        }
    }

    /// Values are only looked at; the names of members may take this many bytes.
    pub fn look(most: usize) -> Self {
        ReadState {
            is_look: true,
            ..ReadState::new(most)
        }
    }

    /// Bytes that what was read takes.
    pub fn taken(&self) -> usize {
        self.most - self.left.get()
    }

    /// Whether the reading ended because it would have taken too much.
    pub fn is_exhausted(&self) -> bool {
        self.is_exhausted.get()
    }

    /// Where the reading failed: `tasks[3].spec.payload`. Empty for the whole. In JSON that is nested
    /// too deep it is the field that holds the JSON.
    pub fn place(&self) -> String {
        let mut place = String::new();
        let steps = self.steps.borrow();
        let inside = if steps.len() > MOST_STEPS {
            let field = steps.iter().position(|step| matches!(step, Step::Field(_)));
            field.unwrap_or(steps.len())
        } else {
            0
        };
        for step in steps[inside..].iter().rev() {
            match step {
                Step::Field(name) | Step::Member(name) if place.is_empty() => place.push_str(name),
                // Writing to a text cannot fail.
                Step::Field(name) | Step::Member(name) => drop(write!(place, ".{name}")),
                Step::Item(at) => drop(write!(place, "[{at}]")),
            }
        }
        place
    }

    pub(crate) fn failed_in_field(&self, name: &str) {
        self.failed_in(Step::Field(shortened(name)));
    }

    pub(crate) fn failed_in_member(&self, name: &str) {
        self.failed_in(Step::Member(shortened(name)));
    }

    pub(crate) fn failed_in_item(&self, at: usize) {
        self.failed_in(Step::Item(at));
    }

    fn failed_in(&self, step: Step) {
        self.steps.borrow_mut().push(step);
    }

    pub(crate) fn text<E: Error>(&self, length: usize) -> Result<(), E> {
        self.value(TEXT + length)
    }

    /// An item of a list, by its size. The list grows by doubling and begins with four.
    pub(crate) fn item<E: Error>(&self, at: usize, size: usize) -> Result<(), E> {
        if size > LARGE_ITEM {
            return Ok(());
        }
        self.value(size * if at == 0 { 4 } else { 2 })
    }

    /// A member of a map.
    pub(crate) fn member<E: Error>(&self, at: usize, name: &str) -> Result<(), E> {
        self.value(if at == 0 { MAP } else { MEMBER } + TEXT + name.len())
    }

    /// A name in the set of those that an object has; answers what [`Self::forget_names`] gives back.
    pub(crate) fn name<E: Error>(&self, at: usize, name: &str) -> Result<usize, E> {
        let bytes = if at == 0 { NAMES } else { NAME } + name.len();
        self.spend(bytes).map(|()| bytes)
    }

    pub(crate) fn forget_names(&self, bytes: usize) {
        self.left.set(self.left.get() + bytes);
    }

    fn value<E: Error>(&self, bytes: usize) -> Result<(), E> {
        if self.is_look {
            return Ok(());
        }
        self.spend(bytes)
    }

    fn spend<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let Some(left) = self.left.get().checked_sub(bytes) else {
            self.is_exhausted.set(true);
            let most = self.most / 1024;
            return Err(E::custom(format_args!(
                "takes more than {most} KiB of memory: it holds too many small values"
            )));
        };
        self.left.set(left);
        Ok(())
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}

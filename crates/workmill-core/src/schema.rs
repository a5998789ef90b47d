//! What values look like on the wire where their Rust types do not say it: the schemas of ids, money
//! and texts, for the document of the HTTP API. Bounds are those that intake keeps.

use std::borrow::Cow;

use serde_json::json;
use utoipa::openapi::schema::{
    AdditionalProperties, AnyOfBuilder, ArrayBuilder, KnownFormat, ObjectBuilder, Schema,
    SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::audit::{Action, Subject};
use crate::ids::{GraphId, LeaseId, ProjectId, TaskId};
use crate::money::Micros;
use crate::output::ExpectedOutput;
use crate::priority::{Class, Priority};
use crate::resource_lock::ResourceLock;
use crate::task::NewTask;

const NOT_BLANK: &str = r"^[^\x00]*[^\s\x00-\x1f\x7f-\x9f][^\x00]*$";

/// Names a type that stands for a schema and for nothing else: fields of texts name it as their
/// `value_type`, so that each bound is written once.
macro_rules! text {
    ($(#[doc = $doc:literal])* $name:ident, $longest:expr, $pattern:expr) => {
        $(#[doc = $doc])*
        #[derive(Debug)]
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let longest: Option<usize> = $longest;
                let text = ObjectBuilder::new()
                    .schema_type(Type::String)
                    .description(Some(concat!($($doc),*).trim()))
                    .pattern(Some($pattern))
                    .min_length(longest.map(|_| 1))
                    .max_length(longest);
                text.into()
            }
        }

        impl ToSchema for $name {}
    };
}

text!(
    /// A text without the character U+0000.
    Text, None, r"^[^\x00]*$"
);
text!(
    /// A name: 1 to 200 characters, not all of them blank, none of them U+0000.
    Word, Some(200), NOT_BLANK
);
text!(
    /// The id of a task (`task_` and a ULID, or a UUID), or the key that its planner has given it.
    TaskName, Some(200), NOT_BLANK
);
text!(
    /// A line for people: 1 to 1,000 characters, not all of them blank, none of them U+0000.
    Title, Some(1000), NOT_BLANK
);
text!(
    /// A text for people: 1 to 10,000 characters, not all of them blank, none of them U+0000.
    LongText, Some(10_000), NOT_BLANK
);
text!(
    /// A name in another system: 1 to 2,000 characters, not all of them blank, none of them U+0000.
    Reference, Some(2000), NOT_BLANK
);
text!(
    /// A name without control characters: 1 to 200 characters, not all of them blank.
    PlainName, Some(200), r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
);
text!(
    /// The name of a model: 1 to 128 characters, not all of them blank, none of them a control character.
    ModelName, Some(128), r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
);
text!(
    /// `task:<id>:output`, or `artifact:<id>`.
    ContextRef, Some(200),
    r"^(task:task_[0-7][0-9A-HJKMNP-TV-Z]{25}:output|artifact:[^\s\x00-\x1f\x7f-\x9f]+)$"
);
text!(
    /// Names between slashes, `repo:app/src`; no name may be blank or consist only of dots.
    LockPath, Some(1000),
    r"^([^/\x00-\x1f\x7f-\x9f]*[^/\s.\x00-\x1f\x7f-\x9f][^/\x00-\x1f\x7f-\x9f]*/)*[^/\x00-\x1f\x7f-\x9f]*[^/\s.\x00-\x1f\x7f-\x9f][^/\x00-\x1f\x7f-\x9f]*/?$"
);
text!(
    /// The name of a namespace.
    NamespaceName, Some(100), r"^[A-Za-z0-9._-]+$"
);

text!(
    /// A time zone by its name: `Europe/Berlin`.
    TimeZoneName, Some(100), r"^[A-Za-z][A-Za-z0-9_+/-]*$"
);
text!(
    /// Identifies a failure; equal for equal failures. A dead letter or a group shows it.
    Fingerprint, Some(20), r"^(0|-?([1-9][0-9]{0,17}|[1-8][0-9]{18}|9[01][0-9]{17}|92[01][0-9]{16}|922[0-2][0-9]{15}))$"
);
text!(
    /// One or several statuses of graphs, separated by commas.
    GraphStatusList, Some(100),
    r"^(pending|running|completed|failed|cancelled)(,(pending|running|completed|failed|cancelled))*$"
);
text!(
    /// One or several states, separated by commas.
    StatusList, Some(200),
    r"^(created|pending|ready|claimed|running|validating|blocked|retrying|completed|dead_lettered|cancelled|stale)(,(created|pending|ready|claimed|running|validating|blocked|retrying|completed|dead_lettered|cancelled|stale))*$"
);

text!(
    /// What a limit is set on: `namespace`, `all_but_critical`, `class:low`, `source:cron`, `type:review`,
    /// `label:provider:anthropic` or `agent:coder_01`.
    LimitScope, None,
    r"^(namespace|all_but_critical|class:(critical|high|normal|low|background)|(source|type|label|agent):[^\x00-\x1f\x7f-\x9f]{0,99}[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]{0,100})$"
);
text!(
    /// What a budget is set on: `namespace`, `each_day`, `graph:dag_…` or `agent:coder_01`.
    BudgetScope, None, r"^(namespace|each_day|graph:dag_[0-7][0-9A-HJKMNP-TV-Z]{25}|agent:[^\x00-\x1f\x7f-\x9f]{0,99}[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]{0,100})$"
);
text!(
    /// What is paused: `namespace`, `graph:dag_…`, `type:review`, `lane:…`, `label:provider:anthropic` or
    /// `agent:coder_01`.
    PauseScope, None,
    r"^(namespace|graph:dag_[0-7][0-9A-HJKMNP-TV-Z]{25}|lane:-?[0-9]{1,18}|(type|label|agent):[^\x00-\x1f\x7f-\x9f]{0,99}[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]{0,100})$"
);

/// Any JSON whose texts have no character U+0000, nested no deeper than 64.
#[derive(Debug)]
pub struct Json;

impl PartialSchema for Json {
    fn schema() -> RefOr<Schema> {
        let json = || Ref::from_schema_name("Json");
        let text = || Ref::from_schema_name("Text");
        let scalars = SchemaType::from_iter([Type::Null, Type::Boolean, Type::Number]);
        AnyOfBuilder::new()
            .description(Some(
                "Any JSON whose texts have no character U+0000, nested no deeper than 64.",
            ))
            .item(ObjectBuilder::new().schema_type(scalars))
            .item(text())
            .item(ArrayBuilder::new().items(json()))
            .item(
                ObjectBuilder::new()
                    .property_names(Some(Text::schema()))
                    .additional_properties(Some(AdditionalProperties::RefOr(json().into()))),
            )
            .into()
    }
}

impl ToSchema for Json {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Text::name().into_owned(), Text::schema()));
    }
}

/// Any JSON object without the character U+0000.
#[derive(Debug)]
pub struct JsonObject;

impl PartialSchema for JsonObject {
    fn schema() -> RefOr<Schema> {
        let json = RefOr::Ref(Ref::from_schema_name("Json"));
        ObjectBuilder::new()
            .property_names(Some(Text::schema()))
            .additional_properties(Some(AdditionalProperties::RefOr(json)))
            .into()
    }
}

impl ToSchema for JsonObject {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Json::name().into_owned(), Json::schema()));
        Json::schemas(schemas);
    }
}

macro_rules! id {
    ($name:ident, $description:literal, $pattern:literal, $example:literal) => {
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let id = ObjectBuilder::new().schema_type(Type::String);
                let id = id.description(Some($description)).pattern(Some($pattern));
                id.examples([json!($example)]).into()
            }
        }

        impl ToSchema for $name {}
    };
}

id!(
    TaskId,
    "A task.",
    "^task_[0-7][0-9A-HJKMNP-TV-Z]{25}$",
    "task_01M7GHHJC60E8TF436WM9NKXNZ"
);
id!(
    GraphId,
    "The id of a graph. A single task is a graph of one task.",
    "^dag_[0-7][0-9A-HJKMNP-TV-Z]{25}$",
    "dag_01M7GHHJE6BVZG6F3GMYAFKRAZ"
);
id!(
    ProjectId,
    "A project.",
    "^proj_[0-7][0-9A-HJKMNP-TV-Z]{25}$",
    "proj_01M7GTYRNB0SZ8YXSS36970QB6"
);
id!(
    LeaseId,
    "The right to work on a task, as a claim has granted it.",
    "^lease_[0-7][0-9A-HJKMNP-TV-Z]{25}_[1-9][0-9]{0,8}$",
    "lease_01M7GHHJC60E8TF436WM9NKXNZ_1"
);

/// A key, by its id.
#[derive(Debug)]
pub struct KeyId;

impl PartialSchema for KeyId {
    fn schema() -> RefOr<Schema> {
        let id = ObjectBuilder::new().schema_type(Type::String);
        let format = SchemaFormat::KnownFormat(KnownFormat::Uuid);
        id.format(Some(format)).description(Some("A key.")).into()
    }
}

impl ToSchema for KeyId {}

/// A number of dollars: in whole millionths.
fn dollars() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Number)
        .multiple_of(Some(0.000_001))
}

impl PartialSchema for Micros {
    fn schema() -> RefOr<Schema> {
        let what = "US dollars with up to 6 decimals; negative if more was spent than the budget.";
        dollars().description(Some(what)).into()
    }
}

impl ToSchema for Micros {
    fn name() -> Cow<'static, str> {
        "Dollars".into()
    }
}

/// What a request may name: nothing below zero, at most a billion.
#[derive(Debug)]
pub struct Amount;

impl PartialSchema for Amount {
    fn schema() -> RefOr<Schema> {
        let what = "US dollars with up to 6 decimals, at most a billion.";
        let dollars = dollars().description(Some(what));
        let most = Micros::LARGEST.dollars();
        dollars.minimum(Some(0)).maximum(Some(most)).into()
    }
}

impl ToSchema for Amount {}

impl PartialSchema for Priority {
    fn schema() -> RefOr<Schema> {
        let names = Class::ALL.map(Class::name);
        AnyOfBuilder::new()
            .description(Some(
                "0 (critical) to 100 (background), smaller first; or the name of a class: 5, 20, 45, 70 \
                 and 90. In the profile `task`, any integer.",
            ))
            .item(
                ObjectBuilder::new()
                    .schema_type(Type::Integer)
                    .minimum(Some(i32::MIN))
                    .maximum(Some(i32::MAX)),
            )
            .item(
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .enum_values(Some(names)),
            )
            .into()
    }
}

impl ToSchema for Priority {}

impl PartialSchema for ResourceLock {
    fn schema() -> RefOr<Schema> {
        let whole = ObjectBuilder::new()
            .property("path", Ref::from_schema_name("LockPath"))
            .required("path")
            .property(
                "shared",
                ObjectBuilder::new()
                    .schema_type(Type::Boolean)
                    .description(Some("Others may hold it too, as long as they share it.")),
            );
        AnyOfBuilder::new()
            .description(Some("A path, or a path and whether it is shared."))
            .item(Ref::from_schema_name("LockPath"))
            .item(whole)
            .into()
    }
}

impl ToSchema for ResourceLock {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((LockPath::name().into_owned(), LockPath::schema()));
    }
}

/// A reference to what was put elsewhere.
#[derive(Debug)]
pub struct Artifact;

impl PartialSchema for Artifact {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let text = text.pattern(Some(NOT_BLANK)).min_length(Some(1));
        AnyOfBuilder::new()
            .description(Some(
                "A reference to data that is stored elsewhere: a text or an object.",
            ))
            .item(text.max_length(Some(2000)))
            .item(JsonObject::schema())
            .into()
    }
}

impl ToSchema for Artifact {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        JsonObject::schemas(schemas);
    }
}

/// What was recorded, by its name.
#[derive(Debug)]
pub struct AuditAction;

impl PartialSchema for AuditAction {
    fn schema() -> RefOr<Schema> {
        let names = Action::ALL.iter().map(|action| action.name());
        let name = ObjectBuilder::new().schema_type(Type::String);
        name.enum_values(Some(names)).into()
    }
}

impl ToSchema for AuditAction {}

/// A kind of object to which something is done by hand.
#[derive(Debug)]
pub struct AuditSubjectKind;

impl PartialSchema for AuditSubjectKind {
    fn schema() -> RefOr<Schema> {
        let kind = ObjectBuilder::new().schema_type(Type::String);
        kind.enum_values(Some(Subject::KINDS)).into()
    }
}

impl ToSchema for AuditSubjectKind {}

/// A JSON merge patch over a task: given fields are replaced, null removes.
#[derive(Debug)]
pub struct TaskChanges;

impl PartialSchema for TaskChanges {
    fn schema() -> RefOr<Schema> {
        let RefOr::T(Schema::Object(mut task)) = NewTask::schema() else {
            return NewTask::schema();
        };
        task.description = Some(
            "A JSON merge patch over a task: given fields are replaced, null removes.".to_owned(),
        );
        let needed = std::mem::take(&mut task.required);
        for fixed in NewTask::FIXED {
            task.properties.remove(fixed);
        }
        // By itself: what it lacks may be the task's own.
        task.properties
            .insert("output".to_owned(), ExpectedOutput::schema());
        for (name, value) in &mut task.properties {
            if !needed.contains(name) {
                let null = ObjectBuilder::new().schema_type(Type::Null);
                let or_null = AnyOfBuilder::new().item(value.clone()).item(null);
                *value = or_null.into();
            }
        }
        task.into()
    }
}

impl ToSchema for TaskChanges {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        NewTask::schemas(schemas);
    }
}

//! One call of the API, as its documentation says it.
//!
//! What holds for all calls is added here: keys, roles, the header that names a namespace, and what
//! any call may be refused with.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, ToSchema};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::role::{Permission, Role};

use super::examples::Example;
use super::{Takes, problems};

pub(super) type Schemas = Vec<(String, RefOr<Schema>)>;

/// The documentation of one call.
pub(super) struct Call {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    operation: Map<String, Value>,
    parameters: Vec<Value>,
    body: Option<Value>,
    /// In bytes; 0 for calls without a body.
    largest_body: usize,
    answers: Vec<Answer>,
    permission: Option<Permission>,
    refusals: BTreeSet<ErrorCode>,
    schemas: Schemas,
}

struct Answer {
    status: u16,
    description: &'static str,
    /// Of each kind of content.
    schemas: Vec<(&'static str, Value)>,
}

/// The largest body of a call that does not say otherwise: a task of 1 MiB with what stands around it.
const USUAL_BODY: usize = 2 * MIB;

pub(super) const MIB: usize = 1024 * 1024;

const JSON: &str = "application/json";
const JSON_LINES: &str = "application/x-ndjson";

impl Call {
    /// `id` names the call for programs that are generated from the document.
    fn new(
        method: &'static str,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
    ) -> Self {
        let mut operation = Map::new();
        operation.insert("operationId".to_owned(), json!(id));
        operation.insert("summary".to_owned(), json!(summary));
        Call {
            method,
            path,
            operation,
            parameters: Vec::new(),
            body: None,
            largest_body: 0,
            answers: Vec::new(),
            permission: None,
            // Every call may be sent a body or a query that it does not take.
            refusals: BTreeSet::from([
                ErrorCode::Invalid,
                ErrorCode::Forbidden,
                ErrorCode::BodyTooSlow,
                ErrorCode::WrongHost,
                ErrorCode::Internal,
                ErrorCode::Timeout,
            ]),
            schemas: Vec::new(),
        }
    }

    pub(super) fn get(path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Call::new("get", path, id, summary)
    }

    pub(super) fn post(path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Call::new("post", path, id, summary)
    }

    pub(super) fn put(path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Call::new("put", path, id, summary)
    }

    pub(super) fn patch(path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Call::new("patch", path, id, summary)
    }

    pub(super) fn delete(path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Call::new("delete", path, id, summary)
    }

    pub(super) fn says(mut self, description: &'static str) -> Self {
        self.operation
            .insert("description".to_owned(), json!(description));
        self
    }

    /// Who may call it; without this, everybody may, without a key.
    pub(super) fn needs(mut self, permission: Permission) -> Self {
        self.permission = Some(permission);
        self.refusing(&[
            ErrorCode::Unauthorized,
            ErrorCode::NotFound,
            ErrorCode::RateLimited,
            ErrorCode::Overloaded,
            ErrorCode::Unavailable,
            ErrorCode::UnknownOutcome,
        ])
    }

    /// What else it may be refused with.
    pub(super) fn refusing(mut self, codes: &[ErrorCode]) -> Self {
        self.refusals.extend(codes);
        self
    }

    /// A part of the path.
    pub(super) fn naming<T: ToSchema>(mut self, name: &str, description: &str) -> Self {
        let schema = self.reference::<T>();
        self.parameters.push(json!({
            "name": name, "in": "path", "required": true, "description": description, "schema": schema,
        }));
        self
    }

    pub(super) fn asking<T: IntoParams>(mut self) -> Self {
        let parameters = T::into_params(|| Some(ParameterIn::Query)).into_iter();
        let parameters = parameters.map(|one| serde_json::to_value(one).unwrap_or_default());
        self.parameters.extend(parameters.map(never_null));
        self.refusing(&[ErrorCode::Invalid])
    }

    pub(super) fn heading(mut self, name: &str, description: &str, schema: &Value) -> Self {
        self.parameters.push(json!({
            "name": name, "in": "header", "required": false, "description": description, "schema": schema,
        }));
        self.refusing(&[ErrorCode::Invalid])
    }

    /// Repeating the call with the same key does nothing twice.
    pub(super) fn repeatable(self) -> Self {
        let schema = json!({"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]([ -~]*[!-~])?$"});
        let description = "A repeated call with the same key changes nothing and returns the \
                           answer of the first call.";
        self.heading("Idempotency-Key", description, &schema)
            .refusing(&[ErrorCode::Conflict])
    }

    /// Takes the tag of a read.
    pub(super) fn guarded(self) -> Self {
        let schema = json!({"type": "string"});
        let description = "The `ETag` of the read. If the object was edited since, the call fails \
                           with 412; `*` matches every version. An invalid tag matches no version.";
        self.heading("If-Match", description, &schema)
            .refusing(&[ErrorCode::Invalid, ErrorCode::PreconditionFailed])
    }

    /// Takes JSON Lines.
    pub(super) fn taking_lines<T: ToSchema>(mut self, most: usize, largest: usize) -> Self {
        // A text to generators of clients; `x-line` says what each line of it is.
        let schema = json!({
            "type": "string",
            "format": "binary",
            "description": format!("JSON Lines: one `x-line` object per line, at most {most} \
                                    lines."),
            "x-line": self.reference::<T>(),
            "x-max-lines": most,
        });
        self.largest_body = largest;
        self.body = Some(json!({"required": true, "content": {JSON_LINES: {"schema": schema}}}));
        self.refusing(&[ErrorCode::Invalid, ErrorCode::TooLarge])
    }

    /// Takes a body of usual size.
    pub(super) fn taking<T: ToSchema>(self) -> Self {
        self.taking_up_to::<T>(USUAL_BODY)
    }

    /// Takes a body of so many bytes. An empty one reads as `{}`, so it is needed only where a member is.
    pub(super) fn taking_up_to<T: ToSchema>(mut self, largest: usize) -> Self {
        self.largest_body = largest;
        let schema = self.reference::<T>();
        let needed = match T::schema() {
            RefOr::T(Schema::Object(object)) => !object.required.is_empty(),
            _ => true,
        };
        self.body = Some(json!({"required": needed, "content": {JSON: {"schema": schema}}}));
        self.refusing(&[ErrorCode::Invalid, ErrorCode::TooLarge])
    }

    pub(super) fn answering<T: ToSchema>(mut self, status: u16, description: &'static str) -> Self {
        let schema = self.reference::<T>();
        self.answering_raw(JSON, status, description, schema)
    }

    /// For generic types, which share a name.
    pub(super) fn answering_inline<T: ToSchema>(
        mut self,
        status: u16,
        description: &'static str,
    ) -> Self {
        T::schemas(&mut self.schemas);
        let schema = serde_json::to_value(T::schema()).unwrap_or_default();
        self.answering_raw(JSON, status, description, schema)
    }

    /// A body that no type of ours describes.
    pub(super) fn answering_raw(
        mut self,
        media_type: &'static str,
        status: u16,
        description: &'static str,
        schema: Value,
    ) -> Self {
        self.answer_with(status, description, Some((media_type, schema)));
        self
    }

    pub(super) fn answering_nothing(mut self, status: u16, description: &'static str) -> Self {
        self.answer_with(status, description, None);
        self
    }

    fn answer_with(
        &mut self,
        status: u16,
        description: &'static str,
        schema: Option<(&'static str, Value)>,
    ) {
        match self.answers.iter_mut().find(|one| one.status == status) {
            Some(answer) => answer.schemas.extend(schema),
            None => self.answers.push(Answer {
                status,
                description,
                schemas: schema.into_iter().collect(),
            }),
        }
    }

    /// Where the schema of a type is.
    fn reference<T: ToSchema>(&mut self) -> Value {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        json!({"$ref": format!("#/components/schemas/{}", T::name())})
    }

    pub(super) fn takes(&self) -> Takes {
        Takes {
            largest_body: self.largest_body,
            has_query: self.parameters.iter().any(|one| one["in"] == "query"),
        }
    }

    /// Method and path are those of the example.
    fn is_shown_by(&self, example: &Example) -> bool {
        let parts = |path: &str| path.split('/').map(ToOwned::to_owned).collect::<Vec<_>>();
        let (mine, shown) = (parts(self.path), parts(&example.path));
        let fits = |(mine, shown): (&String, &String)| mine.starts_with('{') || mine == shown;
        example.method.eq_ignore_ascii_case(self.method)
            && mine.len() == shown.len()
            && mine.iter().zip(&shown).all(fits)
    }

    /// The operation as the document has it, and the schemas that it names.
    pub(super) fn document(mut self, tag: &str, examples: &[Example]) -> (Value, Schemas) {
        let mut shown: Vec<&Example> = examples
            .iter()
            .filter(|one| self.is_shown_by(one))
            .collect();
        // Where several paths fit, the one without parameters is meant.
        if self.path.contains('{') {
            shown.retain(|one| !super::is_a_path_of_its_own(self.method, &one.path));
        }
        self.add_what_keys_need();
        let is_tagged = self.is_tagged();
        if is_tagged {
            self.add_tag();
        }
        for parameter in &mut self.parameters {
            add_example(parameter, self.path, &shown);
        }
        if let Some(body) = &mut self.body {
            let sent = shown.iter().filter(|one| one.status < 300);
            let sent = sent.filter_map(|one| Some((*one, one.body.clone()?)));
            let is_lines = body["content"].get(JSON_LINES).is_some();
            let (kind, sent): (&str, Vec<(&Example, Value)>) = if is_lines {
                let lines = sent.map(|(one, line)| (one, json!(format!("{line}\n"))));
                (JSON_LINES, lines.collect())
            } else {
                (JSON, sent.collect())
            };
            let sent = sent.iter().map(|(one, body)| (*one, body));
            put_examples(&mut body["content"][kind], sent);
        }
        let mut operation = self.operation;
        if self.largest_body > 0 {
            operation.insert("x-max-body-bytes".to_owned(), json!(self.largest_body));
        }
        operation.insert("tags".to_owned(), json!([tag]));
        if !self.parameters.is_empty() {
            operation.insert("parameters".to_owned(), Value::Array(self.parameters));
        }
        if let Some(body) = self.body {
            operation.insert("requestBody".to_owned(), body);
        }
        let mut responses = Map::new();
        for answer in self.answers {
            let answers = shown.iter().filter(|one| one.status < 300);
            let answers =
                answers.filter_map(|one| one.answer.as_ref().map(|answer| (*one, answer)));
            let (same, others): (Vec<_>, Vec<_>) =
                answers.partition(|(one, _)| one.status == answer.status);
            // A call that is repeated is answered as the first one.
            let answers = if same.is_empty() { others } else { same };
            let status = answer.status.to_string();
            let mut response = answer.document(&answers);
            if is_tagged {
                response["headers"]["ETag"] = json!({"$ref": "#/components/headers/ETag"});
            }
            responses.insert(status, response);
        }
        for (status, name) in problems::responses(&self.refusals) {
            let reference = json!({"$ref": format!("#/components/responses/{name}")});
            responses.insert(status.to_string(), reference);
        }
        operation.insert("responses".to_owned(), Value::Object(responses));
        let codes = ErrorCode::ALL.into_iter();
        let codes = codes.filter(|code| self.refusals.contains(code));
        let codes: Vec<&str> = codes.map(ErrorCode::name).collect();
        operation.insert("x-codes".to_owned(), json!(codes));
        (Value::Object(operation), self.schemas)
    }

    /// What a GET answers as JSON has an `ETag`.
    fn is_tagged(&self) -> bool {
        let mut schemas = self.answers.iter().flat_map(|answer| &answer.schemas);
        self.method == "get" && schemas.any(|(media_type, _)| *media_type == JSON)
    }

    fn add_tag(&mut self) {
        self.parameters.push(json!({
            "name": "If-None-Match",
            "in": "header",
            "required": false,
            "description": "The `ETag` of an earlier answer: 304 if the answer has not changed.",
            "schema": {"type": "string"},
            "example": "\"9f86d081884c7d659a2feaa0\"",
        }));
        self.answer_with(304, "The answer has not changed.", None);
    }

    fn add_what_keys_need(&mut self) {
        let Some(permission) = self.permission else {
            self.operation.insert("security".to_owned(), json!([]));
            return;
        };
        let roles = Role::ALL.into_iter().filter(|role| role.may(permission));
        let roles: Vec<&str> = roles.map(Role::name).collect();
        self.operation.insert("x-roles".to_owned(), json!(roles));
        let security = match permission {
            Permission::ActOnLease | Permission::LookAtTask | Permission::LookAtOutput => {
                json!([{"key": []}, {"lease_token": []}])
            }
            _ => json!([{"key": []}]),
        };
        self.operation.insert("security".to_owned(), security);
        self.parameters
            .push(json!({"$ref": "#/components/parameters/Workmill-Namespace"}));
    }
}

impl Answer {
    fn document(self, examples: &[(&Example, &Value)]) -> Value {
        let mut response = json!({
            "description": self.description,
            "headers": {"X-Request-Id": {"$ref": "#/components/headers/X-Request-Id"}},
        });
        let mut content = Map::new();
        for (media_type, schema) in self.schemas {
            let entry = content.entry(media_type).or_insert(json!({}));
            // One or the other, as the request asked.
            entry["schema"] = match entry["schema"].take() {
                Value::Null => schema,
                other => json!({"anyOf": [other, schema]}),
            };
            if media_type == JSON {
                put_examples(entry, examples.iter().copied());
            }
        }
        if !content.is_empty() {
            response["content"] = Value::Object(content);
        }
        response
    }
}

fn put_examples<'a>(place: &mut Value, examples: impl Iterator<Item = (&'a Example, &'a Value)>) {
    let mut named = Map::new();
    for (example, value) in examples {
        let name = format!("example_{}", named.len() + 1);
        named.insert(name, json!({"summary": example.summary, "value": value}));
    }
    if !named.is_empty() {
        place["examples"] = Value::Object(named);
    }
}

/// The value that the first example has for it.
fn add_example(parameter: &mut Value, path: &str, examples: &[&Example]) {
    let name = parameter["name"].as_str().unwrap_or_default().to_owned();
    let find = |named: &[(String, String)]| {
        let mut named = named.iter();
        let found = named.find(|(other, _)| other.eq_ignore_ascii_case(&name));
        found.map(|(_, value)| value.clone())
    };
    let shown = examples.iter().filter(|one| one.status < 300);
    let mut values = shown.filter_map(|one| match parameter["in"].as_str() {
        Some("path") => {
            let template = format!("{{{name}}}");
            let place = path.split('/').position(|part| part == template)?;
            one.path.split('/').nth(place).map(ToOwned::to_owned)
        }
        Some("query") => find(&one.query),
        _ => find(&one.headers),
    });
    if let Some(value) = values.next() {
        let is_text = !matches!(
            parameter["schema"]["type"].as_str(),
            Some("integer" | "number" | "boolean")
        );
        let value = match serde_json::from_str(&value) {
            Ok(read) if !is_text => read,
            _ => Value::String(value),
        };
        parameter["example"] = value;
    }
}

/// A parameter is there or it is not; null is nothing that can be written in a query.
fn never_null(mut parameter: Value) -> Value {
    let schema = &mut parameter["schema"];
    if let Some(Value::Array(choices)) = schema.get("oneOf") {
        let is_null = |choice: &&Value| choice["type"] == "null";
        let mut others = choices.iter().filter(|choice| !is_null(choice));
        *schema = others.next().cloned().unwrap_or_default();
    }
    if let Some(Value::Array(types)) = schema.get("type") {
        let mut others = types.iter().filter(|one| *one != "null");
        schema["type"] = others.next().cloned().unwrap_or_default();
    }
    parameter
}

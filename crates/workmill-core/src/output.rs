//! What a task is to put out, and how that is going to be checked.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::schema::Json;

/// The expected output of a task. The output itself is stored with the result.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ExpectedOutput {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub output_type: Option<OutputType>,
    #[serde(skip_serializing_if = "Validation::is_none")]
    pub validation: Validation,
    /// Input of the validation: a JSON Schema for `json-schema`.
    #[serde(skip_serializing_if = "Value::is_null")]
    #[schema(value_type = Json)]
    pub validation_schema: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputType {
    Code,
    Markdown,
    Json,
    Artifact,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Validation {
    JsonSchema,
    TestPass,
    LlmJudge,
    Regex,
    /// The agent is trusted.
    #[default]
    None,
}

impl Validation {
    pub const fn is_none(&self) -> bool {
        matches!(self, Validation::None)
    }
}

impl ExpectedOutput {
    /// Nothing is said of it.
    pub fn is_unsaid(&self) -> bool {
        *self == ExpectedOutput::default()
    }

    /// Why it cannot be checked like this, with the field at fault.
    pub fn problem(&self) -> Option<(&'static str, &'static str)> {
        let schema = &self.validation_schema;
        let is_missing = match self.validation {
            Validation::JsonSchema => !(schema.is_object() || schema.is_boolean()),
            Validation::None if !schema.is_null() => {
                return Some((
                    "validation",
                    "must be given with `validation_schema`: `json-schema`, for example",
                ));
            }
            Validation::TestPass | Validation::LlmJudge | Validation::Regex | Validation::None => {
                false
            }
        };
        is_missing.then_some((
            "validation_schema",
            "`json-schema` needs a JSON Schema: an object, true or false",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(json: Value) -> Result<ExpectedOutput, String> {
        serde_json::from_value(json).map_err(|error| error.to_string())
    }

    /// F-4
    #[test]
    fn every_type_and_validation_has_its_word() {
        for kind in ["code", "markdown", "json", "artifact"] {
            for validation in ["json-schema", "test-pass", "llm-judge", "regex"] {
                let json = json!({"type": kind, "validation": validation, "validation_schema": {}});
                let output = read(json.clone()).unwrap();
                assert_eq!(serde_json::to_value(&output).unwrap(), json);
                assert_eq!(output.problem(), None);
            }
        }
        assert!(read(json!({"validation": "none"})).unwrap().is_unsaid());
        assert!(read(json!({"validation": "prayer"})).is_err());
        assert!(read(json!({"type": "video"})).is_err());
    }

    /// F-4
    #[test]
    fn a_check_by_schema_needs_a_schema_and_a_schema_a_check() {
        let field = |json| read(json).unwrap().problem().map(|(field, _)| field);
        assert_eq!(
            field(json!({"validation": "json-schema"})),
            Some("validation_schema")
        );
        assert_eq!(
            field(json!({"validation": "json-schema", "validation_schema": "{}"})),
            Some("validation_schema")
        );
        assert_eq!(
            field(json!({"validation": "json-schema", "validation_schema": true})),
            None
        );
        assert_eq!(field(json!({"validation_schema": {}})), Some("validation"));
        assert_eq!(field(json!({"validation": "test-pass"})), None);
    }
}

//! Questions: what waits for a person.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use workmill_engine::{Caller, Engine};
use workmill_protocol::questions::{ListQuestions, QuestionList};

use super::{USUAL_LIMIT, read_cursor};
use crate::answers;
use crate::problem::Refused;
use crate::query::Asked;

pub(super) async fn list(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(asked): Asked<ListQuestions>,
) -> Result<Json<QuestionList>, Refused> {
    let after = read_cursor(asked.cursor)?;
    let limit = asked.limit.unwrap_or(USUAL_LIMIT);
    let page = engine.questions(&caller, after, limit).await?;
    Ok(Json(QuestionList {
        items: page.questions.into_iter().map(answers::question).collect(),
        next_cursor: page.next.map(|next| next.to_string()),
    }))
}

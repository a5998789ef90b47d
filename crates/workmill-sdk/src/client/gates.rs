//! What holds until somebody changes it: limits, budgets, pauses, how long things are kept.

use reqwest::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use workmill_protocol::gates::{
    Budget, BudgetList, Limit, LimitList, ListBudgets, ListGates, Pause, PauseList, SetBudget,
    SetLimit, SetPause,
};
use workmill_protocol::retention::{Retention, RetentionPreview};

use super::{Client, asking, in_a_path};
use crate::error::ClientError;
use crate::retries::Repeat;

/// As few pages as the server allows.
fn whole_pages() -> ListGates {
    ListGates {
        limit: Some(500),
        cursor: None,
    }
}

impl Client {
    pub async fn limits(&self) -> Result<Vec<Limit>, ClientError> {
        let mut limits = Vec::new();
        let mut asked = whole_pages();
        loop {
            let page: LimitList = self.get(&asking("/v1/limits", &asked)).await?;
            limits.extend(page.items);
            if page.next_cursor.is_none() {
                return Ok(limits);
            }
            asked.cursor = page.next_cursor;
        }
    }

    /// `scope`: `namespace`, `type:review`, `label:provider:anthropic` and so on.
    pub async fn set_limit(&self, scope: &str, limit: &SetLimit) -> Result<Limit, ClientError> {
        self.put(&gate("limits", scope), limit).await
    }

    pub async fn remove_limit(&self, scope: &str) -> Result<(), ClientError> {
        self.delete(&gate("limits", scope)).await
    }

    pub async fn budgets(&self) -> Result<Vec<Budget>, ClientError> {
        self.all_budgets(false).await
    }

    /// Budgets of graphs that have completed or were cancelled, of the newest graphs first.
    pub async fn budgets_of_ended_graphs(&self) -> Result<Vec<Budget>, ClientError> {
        self.all_budgets(true).await
    }

    async fn all_budgets(&self, ended: bool) -> Result<Vec<Budget>, ClientError> {
        let mut budgets = Vec::new();
        let ListGates { limit, cursor } = whole_pages();
        let mut asked = ListBudgets {
            ended,
            limit,
            cursor,
        };
        loop {
            let page: BudgetList = self.get(&asking("/v1/budgets", &asked)).await?;
            budgets.extend(page.items);
            if page.next_cursor.is_none() {
                return Ok(budgets);
            }
            asked.cursor = page.next_cursor;
        }
    }

    /// `scope`: `namespace`, `each_day`, `graph:dag_…` or `agent:…`. What waited for money and fits
    /// now is ready again.
    pub async fn set_budget(&self, scope: &str, budget: &SetBudget) -> Result<Budget, ClientError> {
        self.put(&gate("budgets", scope), budget).await
    }

    pub async fn remove_budget(&self, scope: &str) -> Result<(), ClientError> {
        self.delete(&gate("budgets", scope)).await
    }

    pub async fn pauses(&self) -> Result<Vec<Pause>, ClientError> {
        let mut pauses = Vec::new();
        let mut asked = whole_pages();
        loop {
            let page: PauseList = self.get(&asking("/v1/pauses", &asked)).await?;
            pauses.extend(page.items);
            if page.next_cursor.is_none() {
                return Ok(pauses);
            }
            asked.cursor = page.next_cursor;
        }
    }

    /// Nothing of it starts until it is resumed.
    pub async fn pause(&self, scope: &str, pause: &SetPause) -> Result<Pause, ClientError> {
        self.put(&gate("pauses", scope), pause).await
    }

    pub async fn resume(&self, scope: &str) -> Result<(), ClientError> {
        self.delete(&gate("pauses", scope)).await
    }

    /// How long finished tasks are kept.
    pub async fn retention(&self) -> Result<Retention, ClientError> {
        self.get("/v1/retention").await
    }

    pub async fn set_retention(&self, retention: &Retention) -> Result<Retention, ClientError> {
        self.put("/v1/retention", retention).await
    }

    /// What would go now if tasks were kept so long.
    pub async fn preview_retention(
        &self,
        retention: &Retention,
    ) -> Result<RetentionPreview, ClientError> {
        self.put("/v1/retention?dry_run=true", retention).await
    }

    /// From now on everything is kept.
    pub async fn remove_retention(&self) -> Result<Retention, ClientError> {
        let path = "/v1/retention";
        self.content(Method::DELETE, path, None::<&()>).await
    }

    async fn put<A: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<A, ClientError> {
        self.content(Method::PUT, path, Some(body)).await
    }

    /// Answered without content.
    async fn delete(&self, path: &str) -> Result<(), ClientError> {
        let _: Option<serde_json::Value> = self
            .call(Method::DELETE, path, None::<&()>, Repeat::Always)
            .await?;
        Ok(())
    }
}

fn gate(kind: &str, scope: &str) -> String {
    format!("/v1/{kind}/{}", in_a_path(scope))
}

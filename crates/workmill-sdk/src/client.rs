//! The client: an address, a key, and a method for each call.

mod events;
mod gates;
mod keys;
mod leases;
#[cfg(test)]
mod lost_replies;
mod many;
mod plan;
mod projects;
mod steering;

use std::fmt::{Display, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::{Method, Request, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::ids::{GraphId, LeaseId};
use workmill_core::task::NewTask;
use workmill_protocol::agents::{
    Agent, AgentList, ChangeAgent, RegisterAgent, RegisteredAgent, SignOffAgent,
};
use workmill_protocol::claims::{ClaimTasks, ClaimedTask, ClaimedTasks, PreviewClaim, WouldClaim};
use workmill_protocol::error::Problem;
use workmill_protocol::explain::Explanation;
use workmill_protocol::graphs::{
    CancelGraph, CancelledGraph, CreateGraph, CreatedGraph, Graph, GraphList, GrowGraph,
    ListGraphs, RetriedGraph,
};
use workmill_protocol::leases::{
    BlockTask, CompleteTask, FailTask, LeaseAlive, ReleaseTask, SendHeartbeat, SettledTask,
};
use workmill_protocol::tasks::{
    AnswerTask, ResolveDeadLetter, SubmitTasks, SubmittedTasks, Task, TaskStatus,
};

use crate::address::is_on_this_machine;
use crate::error::ClientError;
use crate::retries::{Attempt, Patience, Repeat, retry_after};

pub use events::{EventFilter, EventStream, Heard};
pub use plan::SyncMode;
pub use steering::Health;

/// Longer than the longest wait of a claim.
const TIMEOUT: Duration = Duration::from_secs(70);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    token: String,
    /// The Unix socket that it calls instead of the address.
    socket: Option<PathBuf>,
    /// The namespace that the calls of an admin are about, if it is not that of the key.
    namespace: Option<String>,
    patience: Patience,
}

/// The address without its user and password, if it has any: an address is printed and logged, a password
/// must not be.
fn without_credentials(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let (credentials, _) = authority.rsplit_once('@')?;
    Some(format!("{scheme}://{}", &rest[credentials.len() + 1..]))
}

/// The header that names a namespace.
const NAMESPACE: &str = "workmill-namespace";

impl Client {
    /// `url` is where the server is, `http://127.0.0.1:7070`; `token` the key to show it.
    pub fn new(url: &str, token: &str) -> Result<Self, ClientError> {
        Client::connecting(url, token, None)
    }

    /// The same for a server on this machine, through its Unix socket: the key goes to whoever can
    /// make a socket there, and not to whoever has the port.
    #[cfg(unix)]
    pub fn over_socket(url: &str, token: &str, socket: &Path) -> Result<Self, ClientError> {
        // The socket is not encrypted, whatever the port is.
        let url = url.replacen("https://", "http://", 1);
        Client::connecting(&url, token, Some(socket.to_owned()))
    }

    fn connecting(url: &str, token: &str, socket: Option<PathBuf>) -> Result<Self, ClientError> {
        if let Some(address) = without_credentials(url) {
            return Err(ClientError::CredentialsInAddress(address));
        }
        // Installed once a process; a second time changes nothing.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT);
        if is_on_this_machine(url) {
            // A proxy is the way to other machines.
            http = http.no_proxy();
        }
        #[cfg(unix)]
        if let Some(socket) = &socket {
            http = http.no_proxy().unix_socket(socket.as_path());
        }
        let http = http
            .build()
            .map_err(|_| ClientError::BadAddress(url.to_owned()))?;
        let url = url.trim_end_matches('/');
        if !(url.starts_with("http://") || url.starts_with("https://")) {
            return Err(ClientError::BadAddress(url.to_owned()));
        }
        Ok(Client {
            http,
            url: url.to_owned(),
            token: token.to_owned(),
            socket,
            namespace: None,
            patience: Patience::default(),
        })
    }

    /// The same client for another namespace than that of the key, which only admins may enter.
    #[must_use]
    pub fn in_namespace(self, name: impl Into<String>) -> Self {
        Client {
            namespace: Some(name.into()),
            ..self
        }
    }

    /// For how long calls are repeated that may succeed later: while the server is away, starts
    /// anew or has too much to do. Half a minute unless this says otherwise; zero tries once.
    ///
    /// A repetition does nothing twice: what creates something carries a key by which the server
    /// knows it again. What can neither be known again nor said twice is sent again only if it is
    /// certain that nothing was done.
    #[must_use]
    pub fn with_patience(self, longest: Duration) -> Self {
        Client {
            patience: Patience(longest),
            ..self
        }
    }

    /// The same, with connections that it shares with nobody.
    pub(crate) fn with_own_connections(&self) -> Result<Self, ClientError> {
        let client = Client::connecting(&self.url, &self.token, self.socket.clone())?;
        Ok(Client {
            namespace: self.namespace.clone(),
            patience: self.patience,
            ..client
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub async fn submit(&self, tasks: Vec<NewTask>) -> Result<SubmittedTasks, ClientError> {
        self.create("/v1/tasks", &SubmitTasks::Several { tasks })
            .await
    }

    /// Submits tasks as they were written down. The server refuses fields that it does not know;
    /// reading them into a type first would drop them without a word.
    pub async fn submit_json(&self, tasks: &RawValue) -> Result<SubmittedTasks, ClientError> {
        self.create("/v1/tasks", tasks).await
    }

    /// The same under an idempotency key of the caller's choice: a second call with the same key answers
    /// the tasks of the first one.
    pub async fn submit_json_once(
        &self,
        tasks: &RawValue,
        key: &str,
    ) -> Result<SubmittedTasks, ClientError> {
        self.create_once("/v1/tasks", tasks, key).await
    }

    /// A task goes by its id, or by the key that its planner has given it; here and below.
    pub async fn task(&self, id: impl Display) -> Result<Task, ClientError> {
        self.get(&task_path(id, "")).await
    }

    /// Why a task is not running, or runs where it does.
    pub async fn explain(&self, id: impl Display) -> Result<Explanation, ClientError> {
        self.get(&task_path(id, "/explain")).await
    }

    pub async fn create_graph(&self, graph: &CreateGraph) -> Result<CreatedGraph, ClientError> {
        self.create("/v1/graphs", graph).await
    }

    /// Creates a graph as it was written down; see [`Client::submit_json`].
    pub async fn create_graph_json(&self, graph: &RawValue) -> Result<CreatedGraph, ClientError> {
        self.create("/v1/graphs", graph).await
    }

    /// Adds tasks to a graph.
    pub async fn grow_graph(
        &self,
        graph: GraphId,
        growth: &GrowGraph,
    ) -> Result<SubmittedTasks, ClientError> {
        self.create(&format!("/v1/graphs/{graph}/tasks"), growth)
            .await
    }

    pub async fn graph(&self, id: GraphId) -> Result<Graph, ClientError> {
        self.get(&format!("/v1/graphs/{id}")).await
    }

    /// A page of graphs, the newest first.
    pub async fn graphs(&self, list: &ListGraphs) -> Result<GraphList, ClientError> {
        self.get(&asking("/v1/graphs", list)).await
    }

    pub async fn register(&self, agent: &RegisterAgent) -> Result<RegisteredAgent, ClientError> {
        self.post("/v1/agents", agent).await
    }

    /// A sign of life of an agent that holds nothing.
    pub async fn agent_heartbeat(&self, agent: &str) -> Result<RegisteredAgent, ClientError> {
        let path = format!("/v1/agents/{}/heartbeat", in_a_path(agent));
        self.post(&path, &serde_json::json!({})).await
    }

    /// Sets an agent offline until its next call, unless it holds a task. `session` is that of its
    /// registration; after a later one the call changes nothing.
    pub async fn sign_off(
        &self,
        agent: &str,
        session: Uuid,
    ) -> Result<RegisteredAgent, ClientError> {
        let path = format!("/v1/agents/{}/sign-off", in_a_path(agent));
        self.post(&path, &SignOffAgent { session }).await
    }

    pub async fn agent(&self, agent: &str) -> Result<Agent, ClientError> {
        self.get(&format!("/v1/agents/{}", in_a_path(agent))).await
    }

    /// A page of agents by name; `cursor` is the last page's `next_cursor`.
    pub async fn agents(&self, cursor: Option<&str>) -> Result<AgentList, ClientError> {
        match cursor {
            None => self.get("/v1/agents").await,
            Some(cursor) => {
                let path = format!("/v1/agents?cursor={}", in_a_path(cursor));
                self.get(&path).await
            }
        }
    }

    pub async fn change_agent(
        &self,
        agent: &str,
        change: &ChangeAgent,
    ) -> Result<Agent, ClientError> {
        let path = format!("/v1/agents/{}", in_a_path(agent));
        self.patch(&path, change).await
    }

    /// Removes an agent that holds nothing.
    pub async fn remove_agent(&self, agent: &str) -> Result<(), ClientError> {
        let path = format!("/v1/agents/{}", in_a_path(agent));
        let _: Option<serde_json::Value> = self
            .call(Method::DELETE, &path, None::<&()>, Repeat::Always)
            .await?;
        Ok(())
    }

    /// Empty when there was nothing to claim.
    pub async fn claim(&self, request: &ClaimTasks) -> Result<Vec<ClaimedTask>, ClientError> {
        // Whoever repeats it gets what it was given.
        let request = ClaimTasks {
            request_id: request.request_id.or_else(|| Some(Uuid::new_v4())),
            ..request.clone()
        };
        let answer: Option<ClaimedTasks> = self
            .call(Method::POST, "/v1/claims", Some(&request), Repeat::Always)
            .await?;
        Ok(answer.map(|answer| answer.claims).unwrap_or_default())
    }

    /// What a claim would return at this moment; nothing is claimed.
    pub async fn preview_claim(&self, request: &PreviewClaim) -> Result<WouldClaim, ClientError> {
        self.post("/v1/claims/preview", request).await
    }

    pub async fn start(&self, lease: LeaseId) -> Result<LeaseAlive, ClientError> {
        self.post(&format!("/v1/leases/{lease}/start"), &serde_json::json!({}))
            .await
    }

    pub async fn heartbeat(
        &self,
        lease: LeaseId,
        heartbeat: &SendHeartbeat,
    ) -> Result<LeaseAlive, ClientError> {
        self.post(&format!("/v1/leases/{lease}/heartbeat"), heartbeat)
            .await
    }

    pub async fn block(
        &self,
        lease: LeaseId,
        block: &BlockTask,
    ) -> Result<SettledTask, ClientError> {
        self.post(&format!("/v1/leases/{lease}/block"), block).await
    }

    pub async fn cancel(&self, task: impl Display) -> Result<TaskStatus, ClientError> {
        let path = task_path(task, "/cancel");
        self.post(&path, &serde_json::json!({})).await
    }

    pub async fn answer(
        &self,
        task: impl Display,
        answer: &AnswerTask,
    ) -> Result<TaskStatus, ClientError> {
        self.post_once(&task_path(task, "/answer"), answer).await
    }

    pub async fn cancel_graph(
        &self,
        graph: GraphId,
        cancel: &CancelGraph,
    ) -> Result<CancelledGraph, ClientError> {
        self.post(&format!("/v1/graphs/{graph}/cancel"), cancel)
            .await
    }

    /// Sends the failed part of a graph round again.
    pub async fn retry_graph(&self, graph: GraphId) -> Result<RetriedGraph, ClientError> {
        self.post_once(&format!("/v1/graphs/{graph}/retry"), &serde_json::json!({}))
            .await
    }

    pub async fn resolve_dead_letter(
        &self,
        task: impl Display,
        resolve: &ResolveDeadLetter,
    ) -> Result<TaskStatus, ClientError> {
        let path = format!("{}/resolve", dead_letter_path(task));
        self.post_once(&path, resolve).await
    }

    pub async fn complete(
        &self,
        lease: LeaseId,
        completion: &CompleteTask,
    ) -> Result<SettledTask, ClientError> {
        self.post(&format!("/v1/leases/{lease}/complete"), completion)
            .await
    }

    pub async fn fail(
        &self,
        lease: LeaseId,
        failure: &FailTask,
    ) -> Result<SettledTask, ClientError> {
        self.post(&format!("/v1/leases/{lease}/fail"), failure)
            .await
    }

    pub async fn release(&self, lease: LeaseId) -> Result<SettledTask, ClientError> {
        self.release_with(lease, &ReleaseTask::default()).await
    }

    /// Gives it back, and says what it has used.
    pub async fn release_with(
        &self,
        lease: LeaseId,
        release: &ReleaseTask,
    ) -> Result<SettledTask, ClientError> {
        self.post(&format!("/v1/leases/{lease}/release"), release)
            .await
    }

    /// Whether the server says that it can work.
    pub async fn is_ready(&self) -> Result<bool, ClientError> {
        #[derive(Deserialize)]
        struct Ready {
            status: String,
        }
        // Another program on this address may answer whatever it is asked.
        match self.get::<Ready>("/ready").await {
            Ok(Ready { status }) => Ok(status == "ready"),
            Err(ClientError::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn get<A: DeserializeOwned>(&self, path: &str) -> Result<A, ClientError> {
        self.content(Method::GET, path, None::<&()>).await
    }

    /// Posts what can be said twice.
    async fn post<A: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + ?Sized),
    ) -> Result<A, ClientError> {
        self.content(Method::POST, path, Some(body)).await
    }

    /// Posts what creates something, under a key of its own.
    async fn create<A: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + ?Sized),
    ) -> Result<A, ClientError> {
        self.create_once(path, body, &Uuid::new_v4().to_string())
            .await
    }

    async fn create_once<A: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + ?Sized),
        key: &str,
    ) -> Result<A, ClientError> {
        let header = Some(("idempotency-key", key));
        let answer = self.call_with(header, Method::POST, path, Some(body), Repeat::Always);
        answer.await?.ok_or_else(|| self.no_content())
    }

    /// Posts what is done twice when it is said twice.
    async fn post_once<A: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + ?Sized),
    ) -> Result<A, ClientError> {
        let answer = self.call(Method::POST, path, Some(body), Repeat::IfNotDone);
        answer.await?.ok_or_else(|| self.no_content())
    }

    /// Changes an object. The change is not sent again after a lost reply: it may be relative to the
    /// state of the object (an agent's budget counts from what is spent at that moment), it is a
    /// version of its own, and another client may have changed the object since.
    async fn patch<A: DeserializeOwned>(
        &self,
        path: &str,
        change: &(impl Serialize + ?Sized),
    ) -> Result<A, ClientError> {
        self.patch_with(None, path, change).await
    }

    async fn patch_with<A: DeserializeOwned>(
        &self,
        header: Option<(&str, &str)>,
        path: &str,
        change: &(impl Serialize + ?Sized),
    ) -> Result<A, ClientError> {
        let once = Repeat::IfNotDone;
        let answer = self.call_with(header, Method::PATCH, path, Some(change), once);
        answer.await?.ok_or_else(|| self.no_content())
    }

    async fn content<A: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&(impl Serialize + ?Sized)>,
    ) -> Result<A, ClientError> {
        let answer = self.call(method, path, body, Repeat::Always).await?;
        answer.ok_or_else(|| self.no_content())
    }

    fn no_content(&self) -> ClientError {
        ClientError::NotWorkmill {
            url: self.url.clone(),
            status: StatusCode::NO_CONTENT.as_u16(),
        }
    }

    /// `None` is an answer without content.
    async fn call<A: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&(impl Serialize + ?Sized)>,
        repeat: Repeat,
    ) -> Result<Option<A>, ClientError> {
        self.call_with(None, method, path, body, repeat).await
    }

    async fn call_with<A: DeserializeOwned>(
        &self,
        header: Option<(&str, &str)>,
        method: Method,
        path: &str,
        body: Option<&(impl Serialize + ?Sized)>,
        repeat: Repeat,
    ) -> Result<Option<A>, ClientError> {
        let mut request = self.request(method, path);
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let request = request.build().map_err(|source| self.unreachable(source))?;
        // Boxed: requests are large, and callers hold many of them.
        let repeated = self
            .patience
            .repeat(repeat, || self.send(request.try_clone()));
        Box::pin(repeated).await
    }

    /// A request with what every call carries.
    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self
            .http
            .request(method, format!("{}{path}", self.url))
            .bearer_auth(&self.token);
        match &self.namespace {
            Some(name) => request.header(NAMESPACE, name),
            None => request,
        }
    }

    async fn send<A: DeserializeOwned>(
        &self,
        request: Option<Request>,
    ) -> Result<Option<A>, Attempt> {
        let not_workmill = |status: StatusCode| ClientError::NotWorkmill {
            url: self.url.clone(),
            status: status.as_u16(),
        };
        // Only a streamed body could not be sent again, and that is sent once.
        let request = request.ok_or_else(|| Attempt::from(not_workmill(StatusCode::OK)))?;
        let answered = self.http.execute(request).await;
        let response = answered.map_err(|source| self.unreachable(source))?;
        let status = response.status();
        if status == StatusCode::NO_CONTENT {
            return Ok(None);
        }
        let wait = retry_after(response.headers());
        let body = response.bytes().await;
        let body = body.map_err(|source| self.unreachable(source))?;
        if status.is_success() && body.is_empty() {
            return Ok(None);
        }
        if status.is_success() {
            let answer = serde_json::from_slice(&body);
            return Ok(Some(answer.map_err(|_| not_workmill(status))?));
        }
        let error = match serde_json::from_slice(&body) {
            Ok(problem) => ClientError::Refused(Box::new(self.with_namespace(problem))),
            Err(_) => not_workmill(status),
        };
        Err(Attempt { error, wait })
    }

    /// Names the namespace that does not exist: the server repeats no header.
    fn with_namespace(&self, mut problem: Problem) -> Problem {
        if let Some(name) = &self.namespace
            && problem.field.as_deref() == Some(NAMESPACE)
        {
            problem.detail = format!("the namespace `{name}` does not exist");
            problem.field = None;
        }
        problem
    }

    fn unreachable(&self, source: reqwest::Error) -> ClientError {
        ClientError::Unreachable {
            url: self.url.clone(),
            source,
        }
    }
}

/// A path with a query; what is null is left out.
fn asking(path: &str, query: &impl Serialize) -> String {
    let mut text = path.to_owned();
    let Ok(serde_json::Value::Object(members)) = serde_json::to_value(query) else {
        return text;
    };
    let mut sign = '?';
    for (name, value) in members {
        let value = match value {
            serde_json::Value::Null => continue,
            serde_json::Value::String(value) => in_a_path(&value),
            other => in_a_path(&other.to_string()),
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "{sign}{name}={value}");
        sign = '&';
    }
    text
}

fn task_path(task: impl Display, what: &str) -> String {
    format!("/v1/tasks/{}{what}", in_a_path(&task.to_string()))
}

fn dead_letter_path(task: impl Display) -> String {
    format!("/v1/dead-letters/{}", in_a_path(&task.to_string()))
}

/// A name that people have chosen, as a part of a path or of a query.
fn in_a_path(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_what_is_said_and_nothing_else() {
        assert_eq!(asking("/v1/x", &serde_json::json!({})), "/v1/x");
        let query = serde_json::json!({"a": "b c", "d": null, "e": 7, "f": true});
        assert_eq!(asking("/v1/x", &query), "/v1/x?a=b%20c&e=7&f=true");
    }

    #[test]
    fn a_name_stays_one_part_of_a_path() {
        assert_eq!(in_a_path("agent_coder-01.a~b"), "agent_coder-01.a~b");
        assert_eq!(in_a_path("a/b?c=d&e f%é"), "a%2Fb%3Fc%3Dd%26e%20f%25%C3%A9");
    }
}

//! `workmill serve` with its log in a file, and callers over HTTP.

use std::fs::File;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::Signal;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use workmill_server::keys;
use workmill_store::Store;
use workmill_store::access::{CreateKey, EnsureNamespace};
use workmill_testkit::database::TestDatabase;

use crate::support::{Home, Running};

pub struct Serving {
    // Before the database, so that nobody uses it when it is dropped.
    running: Running,
    home: Home,
    pub token: String,
    _database: TestDatabase,
}

impl Serving {
    /// Starts it with this filter for the log, on an address of the database that this makes of the
    /// true one.
    pub async fn start(log: &str, address: impl FnOnce(&str) -> String) -> Result<Self> {
        let database = TestDatabase::new().await?;
        let store = Store::new(database.url(), 1)?;
        let (ns, _) = store.run(&EnsureNamespace { name: "default" }).await?;
        let token = keys::mint();
        let key = CreateKey {
            ns,
            name: "root",
            role: "admin",
            hash: &keys::hash(&token),
        };
        store.run(&key).await?;
        // Making a client installs the TLS provider that plain requests need too.
        workmill_sdk::Client::new("http://localhost", "")?;
        let home = Home::new()?;
        let mut command = home.command(&["serve"]);
        command
            .env("DATABASE_URL", address(database.url()))
            .env("WORKMILL_LOG", log)
            .env("WORKMILL_LOG_FORMAT", "json");
        let file = File::create(home.path().join("log"))?;
        let running = Running::start_logging(command, file)?;
        Ok(Serving {
            running,
            home,
            token,
            _database: database,
        })
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.running.url);
        reqwest::Client::new().request(method, url)
    }

    /// A call of the admin that succeeds.
    pub async fn post(&self, path: &str, body: Value) -> Result<Value> {
        let request = self.request(Method::POST, path).bearer_auth(&self.token);
        let response = request.json(&body).send().await?;
        let status = response.status();
        let text = response.text().await?;
        ensure!(status.is_success(), "{path}: {status} {text}");
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    /// Claims and starts the task that comes next.
    pub async fn claim(&self) -> Result<String> {
        let asked = serde_json::json!({"agent": "ann", "start": true});
        let claimed = self.post("/v1/claims", asked).await?;
        let lease = claimed["claims"][0]["lease"].as_str().context("a lease")?;
        Ok(lease.to_owned())
    }

    /// All that was logged, once the server has stopped.
    pub fn stop(self) -> Result<String> {
        let (code, _) = self.running.stop(Signal::SIGTERM)?;
        ensure!(code == Some(0), "it ended with {code:?}");
        Ok(std::fs::read_to_string(self.home.path().join("log"))?)
    }
}

//! The crate `workmill-queries`: typed Rust for the statements under `workmill-store/queries`.
//!
//! The statements are checked by a real PostgreSQL that has the schema. Nothing of the store is
//! needed for that, so they can be generated anew while the store does not compile.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cornucopia::config::{Config, TypeMapping};
use tokio_postgres::{Client, NoTls};
use workmill_local_postgres::{Ephemeral, Settings};

use crate::generated::{Files, read_folder, workspace_root};

pub(crate) const QUERIES: &str = "crates/workmill-queries/src";

/// The crate `workmill-queries`, from the statements of the store.
pub async fn queries() -> Result<Files> {
    let server = Ephemeral::start_with(&Settings::for_tests())?;
    let client = connect(&server.cluster().url("workmill")).await?;
    apply_migrations(&client).await?;
    let folder = tempfile::tempdir()?;
    let destination = folder.path().join("generated");
    let config = Config::builder()
        .queries(workspace_root().join("crates/workmill-store/queries"))
        .destination(&destination)
        .name("workmill-queries")
        .sync(false)
        .r#async(true)
        .add_type_mapping(
            "pg_catalog.timestamptz",
            TypeMapping::Simple("jiff::Timestamp".to_owned()),
        )
        .build();
    // The generator blocks on the connection, which another thread of the runtime drives.
    tokio::task::spawn_blocking(move || {
        cornucopia::gen_live(&client, config).map_err(|error| anyhow::anyhow!(error.report()))
    })
    .await??;
    let mut files = Files::new();
    read_folder(&destination.join("src"), &mut |path, text| {
        let path = path
            .strip_prefix(destination.join("src"))
            .expect("below it");
        files.insert(
            Path::new(QUERIES).join(path),
            use_the_statement_cache(&text),
        );
    })?;
    format(files)
}

/// The generator prepares queries through the pool's cache of statements, but not inside a
/// transaction, and plain statements anew at each call. Both cost a round trip and a plan. This
/// sends all of them through the cache.
fn use_the_statement_cache(text: &str) -> String {
    let text = text.replace(
        "fn stmt_cache() -> bool {\n        false\n    }",
        "fn stmt_cache() -> bool {\n        true\n    }",
    );
    let mut rest = text.as_str();
    let mut mended = String::with_capacity(text.len());
    while let Some(at) = rest.find(".execute(") {
        let (before, after) = rest.split_at(at + ".execute(".len());
        mended.push_str(before);
        rest = match after.trim_start().strip_prefix("self.0,") {
            Some(after) => {
                mended.push_str("&client.prepare(self.0).await?,");
                after
            }
            None => after,
        };
    }
    mended.push_str(rest);
    mended
}

fn format(files: Files) -> Result<Files> {
    let folder = tempfile::tempdir()?;
    for (path, text) in &files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a file in a folder"))?;
        fs::write(path, text)?;
    }
    let formatted = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .arg(folder.path().join(QUERIES).join("lib.rs"))
        .status()
        .context("cannot run rustfmt")?;
    ensure!(formatted.success(), "rustfmt refuses the generated code");
    files
        .into_keys()
        .map(|path| {
            let text = fs::read_to_string(folder.path().join(&path))?;
            Ok((path, text))
        })
        .collect()
}

async fn connect(url: &str) -> Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

async fn apply_migrations(client: &Client) -> Result<()> {
    client.batch_execute("create schema workmill").await?;
    let mut migrations = Vec::new();
    read_folder(
        &workspace_root().join("crates/workmill-store/migrations"),
        &mut |path, text| {
            migrations.push((version(path), path.to_owned(), text));
        },
    )?;
    migrations.sort();
    for (_, path, text) in migrations {
        client
            .batch_execute(&text)
            .await
            .with_context(|| format!("PostgreSQL refuses {}", path.display()))?;
    }
    Ok(())
}

/// The number in `V12__name.sql`.
fn version(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    name.strip_prefix('V')?.split_once("__")?.0.parse().ok()
}

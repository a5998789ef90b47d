//! Files that are generated and committed, and how the working tree is kept in step with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::queries::QUERIES;

/// Files by their path from the root of the workspace.
pub type Files = BTreeMap<PathBuf, String>;

pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/testkit")
        .to_owned()
}

/// Paths whose content in the working tree is not what would be written.
pub fn differences(files: &Files) -> Result<Vec<PathBuf>> {
    let root = workspace_root();
    let mut wrong: Vec<PathBuf> = files
        .iter()
        .filter(|(path, text)| fs::read_to_string(root.join(path)).ok().as_ref() != Some(*text))
        .map(|(path, _)| path.clone())
        .collect();
    for path in left_over(&root, files)? {
        wrong.push(path);
    }
    Ok(wrong)
}

pub fn write(files: &Files) -> Result<()> {
    let root = workspace_root();
    for path in left_over(&root, files)? {
        fs::remove_file(root.join(path))?;
    }
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a file in a folder"))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Generated code that nothing generates any more.
fn left_over(root: &Path, files: &Files) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if files.keys().any(|path| path.starts_with(QUERIES)) {
        read_folder(&root.join(QUERIES), &mut |path, _| {
            let path = path.strip_prefix(root).expect("below the root").to_owned();
            if !files.contains_key(&path) {
                found.push(path);
            }
        })?;
    }
    Ok(found)
}

pub(crate) fn read_folder(folder: &Path, visit: &mut impl FnMut(&Path, String)) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_folder(&path, visit)?;
        } else {
            visit(&path, fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

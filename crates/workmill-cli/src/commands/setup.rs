//! `workmill setup`: tells a coding agent, in the file that it reads at its start, how to take work
//! here.
//!
//! What is written is a marked block. A second time it is replaced, and what stands around it stays.
//! The folder may hold somebody else's files: a symbolic link in it would lead out of it, and is
//! refused.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use crate::arguments::{SetupArguments, Tool};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::plain_file;

pub(super) const HOW_TO_WORK: &str = include_str!("setup/how_to_work.md");

/// Of the file that is there.
const LARGEST: u64 = 1024 * 1024;

const BEGIN: &str = "<!-- workmill: begin; `workmill setup` replaces this block -->";
const END: &str = "<!-- workmill: end -->";

/// What a skill begins with, so that it is found.
const SKILL: &str = "\
---
name: workmill
description: Take tasks from the Workmill queue, work on them and report. Use it when asked to take \
work, to do the next task, or to report on a task of Workmill.
---
";

pub(crate) fn run(context: &CommandContext, arguments: &SetupArguments) -> Result<Exit> {
    if !arguments.folder.is_dir() {
        let folder = arguments.folder.display();
        return Err(Exit::NotFound.because(format!("there is no folder {folder}")));
    }
    let file = file(&arguments.folder, arguments.tool);
    refuse_links(&arguments.folder, &file)?;
    let before = plain_file::read(&file, LARGEST).map_err(|error| {
        Exit::InvalidInput.because(format!("cannot use {}: {error}", file.display()))
    })?;
    let start = match arguments.tool {
        Tool::Claude => SKILL,
        Tool::Codex => "",
    };
    let after = with_block(before.as_deref().unwrap_or(start));
    let is_changed = before.as_deref() != Some(after.as_str());
    if is_changed && !arguments.dry_run {
        write(&file, &after)?;
    }
    let answer = json!({
        "file": file,
        "changed": is_changed,
        "dry_run": arguments.dry_run,
        "text": after,
    });
    context.output.answer(&answer, |_| {
        let file = file.display();
        match (arguments.dry_run, is_changed) {
            (true, _) => after.clone(),
            (false, true) => format!("Wrote {file}"),
            (false, false) => format!("{file} is up to date"),
        }
    })?;
    Ok(Exit::Done)
}

fn file(folder: &Path, tool: Tool) -> PathBuf {
    match tool {
        Tool::Claude => folder.join(".claude/skills/workmill/SKILL.md"),
        Tool::Codex => folder.join("AGENTS.md"),
    }
}

/// Refuses folders on the way that are links; of the file itself, reading it tells.
fn refuse_links(folder: &Path, file: &Path) -> Result<()> {
    let on_the_way = file.ancestors().skip(1);
    let on_the_way = on_the_way.take_while(|parent| *parent != folder);
    for parent in on_the_way {
        if parent.is_symlink() {
            let problem = format!("{} is a symbolic link", parent.display());
            return Err(Exit::InvalidInput.because(problem));
        }
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<()> {
    let write = || {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        plain_file::write(file, text)
    };
    write().with_context(|| format!("cannot write {}", file.display()))
}

/// The text with one block of ours: in the place of the last one, or at the end.
fn with_block(text: &str) -> String {
    let block = format!("{BEGIN}\n{}\n{END}", HOW_TO_WORK.trim_end());
    let place = text.find("<!-- workmill: begin").and_then(|begin| {
        let end = begin + text[begin..].find(END)? + END.len();
        Some((begin, end))
    });
    match place {
        Some((begin, end)) => format!("{}{block}{}", &text[..begin], &text[end..]),
        None if text.trim().is_empty() => format!("{block}\n"),
        None => format!("{}\n\n{block}\n", text.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_through_a_link() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let in_folder = file(folder.path(), Tool::Claude);
        assert!(refuse_links(folder.path(), &in_folder).is_ok());
        let link = folder.path().join(".claude");
        std::os::unix::fs::symlink(outside.path(), link).unwrap();
        assert!(refuse_links(folder.path(), &in_folder).is_err());
        let plain = file(folder.path(), Tool::Codex);
        assert!(refuse_links(folder.path(), &plain).is_ok());
    }

    #[test]
    fn a_block_is_added_once_and_replaced_in_its_place() {
        let once = with_block("# Mine\n");
        assert!(once.starts_with("# Mine\n\n<!-- workmill: begin"), "{once}");
        assert_eq!(with_block(&once), once);
        let old = "above\n<!-- workmill: begin -->\nold\n<!-- workmill: end -->\nbelow\n";
        let new = with_block(old);
        assert!(new.starts_with("above\n<!--") && new.ends_with("-->\nbelow\n"));
        assert!(!new.contains("old\n"), "{new}");
        assert_eq!(new.matches(END).count(), 1);
    }
}

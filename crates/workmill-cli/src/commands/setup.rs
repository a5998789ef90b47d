//! `workmill setup`: tells a coding agent, in the file that it reads at its start, how to take work
//! here.
//!
//! What is written is a marked block. A second time it is replaced, and what stands around it stays.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use crate::arguments::{SetupArguments, Tool};
use crate::context::CommandContext;
use crate::exit::Exit;

pub(super) const HOW_TO_WORK: &str = include_str!("setup/how_to_work.md");

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
    let file = file(&arguments.folder, arguments.tool);
    let before = match std::fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", file.display()));
        }
    };
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
            (false, false) => format!("{file} says it already"),
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

fn write(file: &Path, text: &str) -> Result<()> {
    let write = || {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(file, text)
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

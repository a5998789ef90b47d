//! The pages of the docs that are drawn from the code.

use std::path::PathBuf;

use crate::generated::Files;

pub fn docs() -> Files {
    let page = format!(
        "# The life of a task\n\n\
         <!-- Generated from workmill-core's lifecycle table by `./dev docs`. -->\n\n\
         ```mermaid\n{}```\n",
        workmill_core::lifecycle::diagram()
    );
    Files::from([(PathBuf::from("docs/lifecycle.md"), page)])
}

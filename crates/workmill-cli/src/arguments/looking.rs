//! Arguments of the commands that look at many things at once.

use clap::Args;
use jiff::Timestamp;
use workmill_core::ids::{GraphId, ProjectId};
use workmill_core::lifecycle::State;
use workmill_core::list::Order;
use workmill_core::priority::Class;

use super::words::{classes, orders, past_moment, states, whole};

/// Which tasks; what is not named does not matter.
#[derive(Debug, Args)]
pub(crate) struct TaskFilterArguments {
    /// Tasks in this state; separate several with commas
    #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = states())]
    pub(crate) status: Vec<State>,
    /// Tasks of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) task_type: Option<String>,
    /// Tasks with this tag
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// Tasks that this agent holds or has done, or that are addressed to it
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Tasks of this graph
    #[arg(long, value_name = "ID")]
    pub(crate) graph: Option<GraphId>,
    /// Tasks of this project
    #[arg(long, value_name = "ID")]
    pub(crate) project: Option<ProjectId>,
    /// Tasks of this creator; the name of a key
    #[arg(long, value_name = "NAME")]
    pub(crate) created_by: Option<String>,
    /// Tasks of this source: `cron` of `cron:nightly`
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<String>,
    /// Tasks of this priority class
    #[arg(long, value_name = "CLASS", value_parser = classes())]
    pub(crate) priority_tier: Option<Class>,
    /// Submitted since then: 1h, 2d, or 2027-01-15T08:00:00Z
    #[arg(long, value_name = "TIME", value_parser = past_moment)]
    pub(crate) since: Option<Timestamp>,
    /// Tasks with this text in the title
    #[arg(long = "q", value_name = "TEXT")]
    pub(crate) title_has: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) filter: TaskFilterArguments,
    #[command(flatten)]
    pub(crate) page: PageArguments,
    /// The order; `ended` requires a status in which tasks end
    #[arg(long, value_name = "ORDER", value_parser = orders())]
    sort: Option<Order>,
    /// Newest first: the same as `--sort newest`
    #[arg(long, conflicts_with = "sort")]
    newest: bool,
    /// Also print the number of matching tasks
    #[arg(long)]
    pub(crate) count: bool,
}

impl ListArguments {
    pub(crate) fn order(&self) -> Option<Order> {
        if self.newest {
            Some(Order::Newest)
        } else {
            self.sort
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct PageArguments {
    /// Number of items per page [default: 50]
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u16>(1..=500))]
    pub(crate) limit: Option<u16>,
    /// Continue after the previous page
    #[arg(long, value_name = "CURSOR")]
    pub(crate) cursor: Option<String>,
    /// Print all pages
    #[arg(long, conflicts_with_all = ["limit", "cursor"])]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct QuestionsArguments {
    /// Number of items per page [default: 50]
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u16>(1..=100))]
    pub(crate) limit: Option<u16>,
    /// Continue after the previous page
    #[arg(long, value_name = "CURSOR")]
    pub(crate) cursor: Option<String>,
    /// Print all pages
    #[arg(long, conflicts_with_all = ["limit", "cursor"])]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// Refresh the screen until interrupted
    #[arg(long)]
    pub(crate) watch: bool,
}

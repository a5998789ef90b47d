//! Arguments of the commands about agents.

use clap::Subcommand;

use super::AgentRunArguments;

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// Work as an agent: run a command for each task that can be claimed
    Run(Box<AgentRunArguments>),
    /// List the agents
    List,
    /// Show an agent and its tasks
    Show {
        /// The agent's name
        #[arg(value_name = "AGENT")]
        agent: String,
    },
    /// Drain an agent: it finishes its tasks and claims no new ones, even after it registers again
    Drain {
        /// The agent's name
        #[arg(value_name = "AGENT")]
        agent: String,
    },
    /// Remove an agent that holds no task, which frees its name
    Remove {
        /// The agent's name
        #[arg(value_name = "AGENT")]
        agent: String,
    },
    /// End draining: the agent may claim again
    #[command(visible_alias = "resume")]
    Activate {
        /// The agent's name
        #[arg(value_name = "AGENT")]
        agent: String,
    },
}

//! Why a call did not go.

use thiserror::Error;
use workmill_protocol::error::Problem;

#[derive(Debug, Error)]
pub enum ClientError {
    /// The server refused, and says why.
    #[error("{0}")]
    Refused(Box<Problem>),
    #[error("no Workmill server answers at {url}")]
    Unreachable {
        url: String,
        #[source]
        source: reqwest::Error,
    },
    /// Something answered, but not as a Workmill server does.
    #[error("{url} answered {status} with something that is not Workmill's")]
    NotWorkmill { url: String, status: u16 },
    #[error("`{0}` is not the address of a server")]
    BadAddress(String),
}

//! Long computations beside the threads that answer requests.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// Computes something that may take longer than a change of threads, while other threads take over the
/// requests of this one.
pub fn beside<T>(is_long: bool, compute: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
    if is_long && matches!(flavor, Ok(RuntimeFlavor::MultiThread)) {
        block_in_place(compute)
    } else {
        compute()
    }
}

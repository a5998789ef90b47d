//! Long computations beside the threads that answer requests.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// Fewer tasks than this are worth no change of threads.
const MANY: usize = 100;

/// Computes something for so many tasks, while other threads take over the requests of this one.
pub(crate) fn beside<T>(tasks: usize, compute: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
    if tasks >= MANY && matches!(flavor, Ok(RuntimeFlavor::MultiThread)) {
        block_in_place(compute)
    } else {
        compute()
    }
}

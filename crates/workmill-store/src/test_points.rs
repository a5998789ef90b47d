//! Named places in the code where a test can wait or fail on purpose.
//!
//! Where order decides, a test pauses one side at a point and lets the other pass, instead of
//! sleeping and hoping. A test can also plant a fault, to show that a check would find it: the
//! code asks [`TestPoints::is_on`] and does it wrong. Each [`Store`](crate::Store) has its own set, so tests in one process do
//! not meet. Without the feature `test-points` a point is an empty function.

#[cfg(feature = "test-points")]
mod armed {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex, PoisonError};

    use tokio::sync::{mpsc, oneshot};

    #[derive(Debug, Clone, Default)]
    pub struct TestPoints {
        armed: Arc<Mutex<HashMap<&'static str, Reaction>>>,
    }

    #[derive(Debug, Clone)]
    enum Reaction {
        Pause(mpsc::UnboundedSender<oneshot::Sender<()>>),
        Fail { times: usize },
        Switch,
    }

    /// A point where whoever comes by waits until the test lets it go.
    #[derive(Debug)]
    pub struct Pause {
        arrivals: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
    }

    /// Somebody waiting at a point; goes on when told to, or when this is dropped.
    #[derive(Debug)]
    pub struct Paused {
        go: oneshot::Sender<()>,
    }

    impl Pause {
        /// Waits for the next arrival.
        pub async fn arrival(&mut self) -> Paused {
            Paused {
                go: self
                    .arrivals
                    .recv()
                    .await
                    .expect("the store is still there"),
            }
        }
    }

    impl Paused {
        pub fn go_on(self) {
            let _ = self.go.send(());
        }
    }

    impl TestPoints {
        pub fn pause_at(&self, name: &'static str) -> Pause {
            let (sender, arrivals) = mpsc::unbounded_channel();
            self.arm(name, Reaction::Pause(sender));
            Pause { arrivals }
        }

        /// Makes the next `times` passers-by fail as if the connection had been lost.
        pub fn fail_at(&self, name: &'static str, times: usize) {
            self.arm(name, Reaction::Fail { times });
        }

        /// Turns a deliberate fault on: the code asks [`TestPoints::is_on`].
        pub fn switch_on(&self, name: &'static str) {
            self.arm(name, Reaction::Switch);
        }

        pub fn disarm(&self, name: &'static str) {
            self.lock().remove(name);
        }

        /// Whether a test waits or fails here.
        pub fn is_armed(&self, name: &'static str) -> bool {
            self.lock().contains_key(name)
        }

        pub fn is_on(&self, name: &'static str) -> bool {
            matches!(self.lock().get(name), Some(Reaction::Switch))
        }

        /// Waits where the test wants to; true when it wants a failure.
        pub async fn pass(&self, name: &'static str) -> bool {
            let reaction = self.lock().get(name).cloned();
            match reaction {
                None | Some(Reaction::Switch) => false,
                Some(Reaction::Pause(arrivals)) => {
                    let (go, wait) = oneshot::channel();
                    if arrivals.send(go).is_ok() {
                        let _ = wait.await;
                    }
                    false
                }
                Some(Reaction::Fail { times }) => {
                    if times <= 1 {
                        self.disarm(name);
                    } else {
                        self.arm(name, Reaction::Fail { times: times - 1 });
                    }
                    true
                }
            }
        }

        fn arm(&self, name: &'static str, reaction: Reaction) {
            self.lock().insert(name, reaction);
        }

        fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, Reaction>> {
            self.armed.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

#[cfg(feature = "test-points")]
pub use armed::{Pause, Paused, TestPoints};

#[cfg(not(feature = "test-points"))]
#[derive(Debug, Clone, Default)]
pub struct TestPoints {
    _nothing: (),
}

#[cfg(not(feature = "test-points"))]
impl TestPoints {
    #[expect(clippy::unused_async, reason = "has the shape of the armed one")]
    pub async fn pass(&self, _name: &'static str) -> bool {
        false
    }

    pub const fn is_armed(&self, _name: &'static str) -> bool {
        false
    }

    /// No fault is planted in a release build.
    pub const fn is_on(&self, _name: &'static str) -> bool {
        false
    }
}

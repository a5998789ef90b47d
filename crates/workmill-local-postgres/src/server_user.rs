//! In: the effective user of this process. Out: the user every PostgreSQL program runs as, and the
//! names of the users who may connect.
//!
//! Invariant: no PostgreSQL program ever runs as root, because PostgreSQL refuses to.

use std::path::Path;

use nix::unistd::{Gid, Uid, User, geteuid};

use crate::{LocalPostgresError, Result};

/// Tried in this order when this process is root.
const UNPRIVILEGED_USERS: [&str; 2] = ["postgres", "nobody"];

#[derive(Clone, Debug)]
pub(crate) struct ServerUser {
    pub(crate) name: String,
    pub(crate) uid: Uid,
    pub(crate) gid: Gid,
    /// The user of this process, when it is root and therefore not the server's user.
    pub(crate) root_name: Option<String>,
}

impl ServerUser {
    pub(crate) fn of_this_process() -> Result<ServerUser> {
        let own_uid = geteuid();
        let own = entry(own_uid)?.ok_or_else(|| LocalPostgresError::NoServerUser {
            who: format!("uid {own_uid}"),
            problem: "it has no entry in the user database, and initdb needs one".to_owned(),
        })?;
        if !own_uid.is_root() {
            return Ok(ServerUser {
                name: own.name,
                uid: own.uid,
                gid: own.gid,
                root_name: None,
            });
        }
        for name in UNPRIVILEGED_USERS {
            if let Ok(Some(user)) = User::from_name(name)
                && !user.uid.is_root()
            {
                return Ok(ServerUser {
                    name: user.name,
                    uid: user.uid,
                    gid: user.gid,
                    root_name: Some(own.name),
                });
            }
        }
        Err(LocalPostgresError::NoServerUser {
            who: own.name,
            problem: format!("none of the users {UNPRIVILEGED_USERS:?} exists"),
        })
    }

    pub(crate) fn differs_from_this_process(&self) -> bool {
        self.root_name.is_some()
    }

    /// Operating-system users who may log in as the role of the cluster.
    pub(crate) fn names_that_may_connect(&self) -> Vec<&str> {
        let mut names = vec![self.name.as_str()];
        names.extend(self.root_name.as_deref());
        names
    }

    /// Makes a path the server user's own. Never follows a symbolic link: the folder belongs to the
    /// unprivileged user, who could otherwise point root at any file of the machine.
    pub(crate) fn give(&self, path: &Path) -> Result<()> {
        if !self.differs_from_this_process() {
            return Ok(());
        }
        std::os::unix::fs::lchown(path, Some(self.uid.as_raw()), Some(self.gid.as_raw()))
            .map_err(|cause| LocalPostgresError::file("change the owner of", path, cause))
    }
}

fn entry(uid: Uid) -> Result<Option<User>> {
    User::from_uid(uid).map_err(|errno| LocalPostgresError::NoServerUser {
        who: format!("uid {uid}"),
        problem: format!("the user database cannot be read ({errno})"),
    })
}

/// The user whose permissions count in messages; never fails, because it explains other failures.
pub(crate) fn name_for_messages() -> String {
    match ServerUser::of_this_process() {
        Ok(user) => user.name,
        Err(_) => format!("uid {}", geteuid()),
    }
}

/// For messages: the name, or the number if it has none.
pub(crate) fn name_of(uid: u32) -> String {
    match User::from_uid(Uid::from_raw(uid)) {
        Ok(Some(user)) => format!("user {}", user.name),
        _ => format!("uid {uid}"),
    }
}

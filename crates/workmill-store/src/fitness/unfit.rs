//! Why Workmill cannot work on a database, with the command that removes the cause.

use std::fmt;

/// Why Workmill cannot work on a database: what has to be changed about the database, the role, or the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    TooOld {
        found: String,
    },
    NotUtf8 {
        database: String,
        encoding: String,
    },
    Standby,
    ReadOnly {
        role: String,
        database: String,
        set_by: String,
    },
    MayNotCreateSchema {
        role: String,
        database: String,
    },
    /// The role is not a member of the schema's owner.
    NotTheOwner {
        role: String,
        owner: String,
    },
    /// Tables belong to a role other than the schema's owner, which has no rights on them.
    OwnersDiffer {
        schema_owner: String,
        table_owner: String,
    },
    NoSuchDatabase {
        database: String,
    },
    WrongPassword {
        role: String,
    },
    NoPassword {
        role: String,
    },
    NoLogin {
        role: String,
    },
    NoConnectionLeft {
        role: String,
        /// The limit is that of the role, not that of the server or the database.
        is_of_role: bool,
        problem: String,
    },
    NoTls {
        problem: String,
    },
    NotAdmitted {
        role: String,
        problem: String,
    },
    MayNotConnect {
        role: String,
        database: String,
    },
}

impl Unfit {
    /// Returns whether a login was refused; otherwise the database was reached.
    pub fn is_about_the_login(&self) -> bool {
        match self {
            Unfit::NoSuchDatabase { .. }
            | Unfit::WrongPassword { .. }
            | Unfit::NoPassword { .. }
            | Unfit::NoLogin { .. }
            | Unfit::NoConnectionLeft { .. }
            | Unfit::NoTls { .. }
            | Unfit::NotAdmitted { .. }
            | Unfit::MayNotConnect { .. } => true,
            Unfit::TooOld { .. }
            | Unfit::NotUtf8 { .. }
            | Unfit::Standby
            | Unfit::ReadOnly { .. }
            | Unfit::MayNotCreateSchema { .. }
            | Unfit::NotTheOwner { .. }
            | Unfit::OwnersDiffer { .. } => false,
        }
    }

    pub fn cause(&self) -> String {
        match self {
            Unfit::TooOld { found } => {
                format!("PostgreSQL {found} is too old: Workmill needs version 15 or newer")
            }
            Unfit::NotUtf8 { database, encoding } => format!(
                "the database `{database}` has the encoding {encoding}, which cannot hold every text: \
                 Workmill needs UTF8, and the encoding of a database cannot be changed"
            ),
            Unfit::Standby => "the database is a standby and takes no writes".to_owned(),
            Unfit::ReadOnly { role, database, .. } => format!(
                "transactions of the role `{role}` in the database `{database}` are read-only \
                 (default_transaction_read_only is on)"
            ),
            Unfit::MayNotCreateSchema { role, database } => format!(
                "the role `{role}` may not create the schema `workmill` in the database `{database}`"
            ),
            Unfit::NotTheOwner { role, owner } => format!(
                "the schema `workmill` and its tables belong to the role `{owner}`, and the role \
                 `{role}` is not a member of it"
            ),
            Unfit::OwnersDiffer {
                schema_owner,
                table_owner,
            } => format!(
                "the schema `workmill` belongs to the role `{schema_owner}`, and some of its tables to \
                 the role `{table_owner}`"
            ),
            Unfit::NoSuchDatabase { database } => {
                format!("the PostgreSQL server has no database `{database}`")
            }
            Unfit::WrongPassword { role } => {
                format!("PostgreSQL refuses the password of the role `{role}`")
            }
            Unfit::NoPassword { role } => {
                format!("the role `{role}` needs a password, and DATABASE_URL has none")
            }
            Unfit::NoLogin { role } => format!("the role `{role}` may not log in"),
            Unfit::NoConnectionLeft { role, problem, .. } => {
                format!("PostgreSQL has no connection left for the role `{role}`: {problem}")
            }
            Unfit::NoTls { problem } => format!(
                "DATABASE_URL demands TLS, and Workmill connects to PostgreSQL without it: {problem}"
            ),
            Unfit::NotAdmitted { role, problem } => {
                format!("PostgreSQL refuses the role `{role}`: {problem}")
            }
            Unfit::MayNotConnect { role, database } => {
                format!("the role `{role}` may not connect to the database `{database}`")
            }
        }
    }

    /// Returns what to do about it, with the command to run.
    pub fn remedy(&self) -> String {
        match self {
            Unfit::TooOld { .. } => "Upgrade the server with pg_upgrade, or name a newer one in \
                DATABASE_URL; `select version()` tells what a server is"
                .to_owned(),
            Unfit::NotUtf8 { .. } => "Make another database and name it in DATABASE_URL: \
                create database workmill template template0 encoding 'UTF8' locale 'C';"
                .to_owned(),
            Unfit::Standby => "Name the primary in DATABASE_URL, or all hosts with \
                target_session_attrs=read-write"
                .to_owned(),
            Unfit::ReadOnly {
                role,
                database,
                set_by,
            } => writable_again(role, database, set_by),
            Unfit::MayNotCreateSchema { role, database } => format!(
                "Run as the owner of the database: grant create on database {} to {};",
                quoted(database),
                quoted(role)
            ),
            Unfit::NotTheOwner { role, owner } => format!(
                "Name {owner} in DATABASE_URL, or run as an administrator: grant {} to {};",
                quoted(owner),
                quoted(role)
            ),
            Unfit::OwnersDiffer {
                schema_owner,
                table_owner,
            } => format!(
                "Run as an administrator, in this database: reassign owned by {} to {};",
                quoted(table_owner),
                quoted(schema_owner)
            ),
            Unfit::NoSuchDatabase { database } => format!(
                "Check the name in DATABASE_URL, or run in another database of that server: \
                 create database {} template template0 encoding 'UTF8' locale 'C';",
                quoted(database)
            ),
            Unfit::WrongPassword { role } => format!(
                "Check the password in DATABASE_URL, or set it as an administrator: \
                 \\password {}",
                quoted(role)
            ),
            Unfit::NoPassword { role } => format!(
                "Write it into DATABASE_URL, postgres://{role}:PASSWORD@HOST:5432/DATABASE; characters \
                 like @ and / in it must be percent-encoded"
            ),
            Unfit::NoLogin { role } => format!(
                "Name another role in DATABASE_URL, or run as an administrator: alter role {} login;",
                quoted(role)
            ),
            Unfit::NoConnectionLeft {
                role, is_of_role, ..
            } => connections_again(role, *is_of_role),
            Unfit::NoTls { .. } => {
                "Write sslmode=disable into DATABASE_URL, and take the connection through \
                a private network or a tunnel"
                    .to_owned()
            }
            Unfit::NotAdmitted { role, .. } => format!(
                "Check user and host in DATABASE_URL. A role that does not exist is made with: \
                 create role {} login; and pg_hba.conf says who may come from where (after a change: \
                 select pg_reload_conf();)",
                quoted(role)
            ),
            Unfit::MayNotConnect { role, database } => format!(
                "Run as the owner of the database: grant connect on database {} to {};",
                quoted(database),
                quoted(role)
            ),
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}", self.cause(), self.remedy())
    }
}

impl std::error::Error for Unfit {}

/// Returns the remedy for a limit of connections: that of the role, or that of the server.
fn connections_again(role: &str, is_of_role: bool) -> String {
    if is_of_role {
        let role = quoted(role);
        format!(
            "Stop other programs that use the role, or run as an administrator: alter role {role} \
             connection limit -1;"
        )
    } else {
        "Stop programs that use the server, or raise the limit as an administrator and restart \
         PostgreSQL: alter system set max_connections = 200;"
            .to_owned()
    }
}

/// Returns the remedy for read-only transactions. `set_by` is the source that PostgreSQL names for the
/// setting.
fn writable_again(role: &str, database: &str, set_by: &str) -> String {
    const NAME: &str = "default_transaction_read_only";
    let (role, database) = (quoted(role), quoted(database));
    let command = match set_by {
        "user" => format!("alter role {role} reset {NAME};"),
        "database" => format!("alter database {database} reset {NAME};"),
        "database user" => format!("alter role {role} in database {database} reset {NAME};"),
        "client" => return format!("Take {NAME} out of the options in DATABASE_URL"),
        _ => format!("alter system set {NAME} = off; select pg_reload_conf();"),
    };
    format!("Run as an administrator: {command}")
}

/// Returns a name as it is written in SQL.
fn quoted(name: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_quoted_where_sql_would_read_another_one() {
        assert_eq!(quoted("workmill"), "workmill");
        assert_eq!(quoted("Mill"), "\"Mill\"");
        assert_eq!(quoted("a\"; drop"), "\"a\"\"; drop\"");
        assert_eq!(quoted(""), "\"\"");
    }

    #[test]
    fn a_version_that_is_too_old_is_named_with_what_to_do() {
        let found = "14.9".to_owned();
        let text = Unfit::TooOld { found }.to_string();
        assert!(text.contains("14.9") && text.contains("15"), "{text}");
        assert!(text.contains("pg_upgrade"), "{text}");
    }

    #[test]
    fn the_setting_is_taken_back_where_it_was_made() {
        let said = |set_by| writable_again("r", "d", set_by);
        assert!(said("user").contains("alter role r reset"));
        assert!(said("database").contains("alter database d reset"));
        assert!(said("database user").contains("alter role r in database d reset"));
        assert!(said("configuration file").contains("alter system set"));
        assert!(said("client").contains("DATABASE_URL"));
    }
}

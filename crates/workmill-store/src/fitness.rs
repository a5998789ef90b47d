//! Whether Workmill can work on a database as it is.
//!
//! In: a connection, or the error of one that was refused. Out: [`Unfit`], which names the cause and the
//! command that removes it. The check comes before the first write: the errors that PostgreSQL reports
//! in the middle of a migration name neither.

mod unfit;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Row};

use crate::error::StoreError;

pub use unfit::Unfit;

const OLDEST_VERSION: i32 = 150_000;

const FACTS: &str = "
    select current_setting('server_version_num')::int as version_number,
           current_setting('server_version') as version,
           current_setting('server_encoding') as encoding,
           session_user::text as role,
           current_user::text as acting_role,
           current_database()::text as database,
           pg_is_in_recovery() as is_standby,
           current_setting('default_transaction_read_only') = 'on' as is_read_only,
           (select source from pg_settings where name = 'default_transaction_read_only') as set_by,
           has_database_privilege(current_database(), 'create') as may_create_schema,
           (select pg_get_userbyid(nspowner)::text
            from pg_namespace where nspname = 'workmill') as schema_owner,
           (select pg_get_userbyid(relowner)::text
            from pg_class
            where relnamespace = to_regnamespace('workmill') and relkind in ('r', 'p')
              and not pg_has_role(relowner, 'usage')
            limit 1) as table_owner";

/// Refuses a database on which Workmill cannot work with this role.
///
/// Servers, too, need the owner's rights: they make and drop partitions of the events. So the connection
/// acts as the owner already, if it may.
pub(crate) async fn check(client: &Client) -> Result<(), StoreError> {
    let facts = client.query_one(FACTS, &[]).await;
    let facts = facts.map_err(|error| StoreError::from_statement("examine the database", error))?;
    match judge(&facts) {
        Some(unfit) => Err(unfit.into()),
        None => Ok(()),
    }
}

fn judge(facts: &Row) -> Option<Unfit> {
    let text = |name: &str| facts.get::<_, String>(name);
    let is = |name: &str| facts.get::<_, bool>(name);
    let (role, database) = (text("role"), text("database"));
    if facts.get::<_, i32>("version_number") < OLDEST_VERSION {
        let found = text("version");
        return Some(Unfit::TooOld { found });
    }
    if text("encoding") != "UTF8" {
        let encoding = text("encoding");
        return Some(Unfit::NotUtf8 { database, encoding });
    }
    if is("is_standby") {
        return Some(Unfit::Standby);
    }
    if is("is_read_only") {
        return Some(Unfit::ReadOnly {
            role,
            database,
            set_by: text("set_by"),
        });
    }
    let Some(schema_owner) = facts.get::<_, Option<String>>("schema_owner") else {
        let may_create = is("may_create_schema");
        return (!may_create).then_some(Unfit::MayNotCreateSchema { role, database });
    };
    if schema_owner != text("acting_role") {
        let owner = schema_owner;
        return Some(Unfit::NotTheOwner { role, owner });
    }
    let table_owner: Option<String> = facts.get("table_owner");
    table_owner.map(|table_owner| Unfit::OwnersDiffer {
        schema_owner,
        table_owner,
    })
}

/// Names the cause of a login that PostgreSQL refused, if it says one.
pub(crate) fn refused_login(settings: &Config, error: &tokio_postgres::Error) -> Option<Unfit> {
    let role = settings.get_user().unwrap_or_default().to_owned();
    let database = settings.get_dbname().unwrap_or(&role).to_owned();
    let Some(refused) = error.as_db_error() else {
        let problem = std::error::Error::source(error)?.to_string();
        return match error.to_string().as_str() {
            "invalid configuration" if problem == "password missing" => {
                Some(Unfit::NoPassword { role })
            }
            "error performing TLS handshake" => Some(Unfit::NoTls { problem }),
            _ => None,
        };
    };
    let problem = refused.message().to_owned();
    match *refused.code() {
        SqlState::INVALID_CATALOG_NAME => Some(Unfit::NoSuchDatabase { database }),
        SqlState::INVALID_PASSWORD => Some(Unfit::WrongPassword { role }),
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION
            if problem.contains("not permitted to log in") =>
        {
            Some(Unfit::NoLogin { role })
        }
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION => Some(Unfit::NotAdmitted { role, problem }),
        SqlState::TOO_MANY_CONNECTIONS => Some(Unfit::NoConnectionLeft {
            is_of_role: problem.contains("for role"),
            role,
            problem,
        }),
        SqlState::INSUFFICIENT_PRIVILEGE => Some(Unfit::MayNotConnect { role, database }),
        _ => None,
    }
}

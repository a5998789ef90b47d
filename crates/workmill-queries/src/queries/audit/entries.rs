// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct InsertEntriesParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
    T9: crate::JsonSql,
    T10: crate::ArraySql<Item = Option<T9>>,
    T11: crate::JsonSql,
    T12: crate::ArraySql<Item = Option<T11>>,
    T13: crate::StringSql,
    T14: crate::ArraySql<Item = Option<T13>>,
> {
    pub now: jiff::Timestamp,
    pub actor: T1,
    pub actor_key: Option<uuid::Uuid>,
    pub ids: T2,
    pub actions: T4,
    pub subject_kinds: T6,
    pub subjects: T8,
    pub befores: T10,
    pub afters: T12,
    pub notes: T14,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindEndOfLookParams {
    pub ns: i64,
    pub before_id: uuid::Uuid,
    pub first_id: uuid::Uuid,
    pub entries_before: i64,
}
#[derive(Debug)]
pub struct FindEntriesParams<T1: crate::StringSql, T2: crate::StringSql, T3: crate::StringSql> {
    pub ns: i64,
    pub before_id: uuid::Uuid,
    pub first_id: uuid::Uuid,
    pub actor: Option<T1>,
    pub action: Option<T2>,
    pub subject_kind: Option<T3>,
    pub most: i64,
}
#[derive(Debug)]
pub struct FindEntriesOfSubjectParams<
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::StringSql,
> {
    pub ns: i64,
    pub subject: T1,
    pub before_id: uuid::Uuid,
    pub first_id: uuid::Uuid,
    pub actor: Option<T2>,
    pub action: Option<T3>,
    pub subject_kind: Option<T4>,
    pub most: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub actor: String,
    pub actor_key: Option<uuid::Uuid>,
    pub action: String,
    pub subject_kind: String,
    pub subject: String,
    pub before: Option<serde_json::Value>,
    pub after: Option<serde_json::Value>,
    pub note: Option<String>,
}
pub struct EntryBorrowed<'a> {
    pub id: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub actor: &'a str,
    pub actor_key: Option<uuid::Uuid>,
    pub action: &'a str,
    pub subject_kind: &'a str,
    pub subject: &'a str,
    pub before: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub after: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub note: Option<&'a str>,
}
impl<'a> From<EntryBorrowed<'a>> for Entry {
    fn from(
        EntryBorrowed {
            id,
            at,
            actor,
            actor_key,
            action,
            subject_kind,
            subject,
            before,
            after,
            note,
        }: EntryBorrowed<'a>,
    ) -> Self {
        Self {
            id,
            at,
            actor: actor.into(),
            actor_key,
            action: action.into(),
            subject_kind: subject_kind.into(),
            subject: subject.into(),
            before: before.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            after: after.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            note: note.map(|v| v.into()),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct UuidUuidQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<uuid::Uuid, tokio_postgres::Error>,
    mapper: fn(uuid::Uuid) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> UuidUuidQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(uuid::Uuid) -> R) -> UuidUuidQuery<'c, 'a, 's, C, R, N> {
        UuidUuidQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct EntryQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<EntryBorrowed, tokio_postgres::Error>,
    mapper: fn(EntryBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> EntryQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(EntryBorrowed) -> R) -> EntryQuery<'c, 'a, 's, C, R, N> {
        EntryQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct InsertEntriesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_entries() -> InsertEntriesStmt {
    InsertEntriesStmt(
        "insert into workmill.audit ( ns, id, at, actor, actor_key, action, subject_kind, subject, before, after, note ) select a.ns, u.id, $1, $2, $3, u.action, u.subject_kind, u.subject, u.before, u.after, u.note from workmill.anchor a, unnest( $4::uuid[], $5::text[], $6::text[], $7::text[], $8::jsonb[], $9::jsonb[], $10::text[] ) as u (id, action, subject_kind, subject, before, after, note) where a.ns = $11",
        None,
    )
}
impl InsertEntriesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = uuid::Uuid>,
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
        T5: crate::StringSql,
        T6: crate::ArraySql<Item = T5>,
        T7: crate::StringSql,
        T8: crate::ArraySql<Item = T7>,
        T9: crate::JsonSql,
        T10: crate::ArraySql<Item = Option<T9>>,
        T11: crate::JsonSql,
        T12: crate::ArraySql<Item = Option<T11>>,
        T13: crate::StringSql,
        T14: crate::ArraySql<Item = Option<T13>>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        actor: &'a T1,
        actor_key: &'a Option<uuid::Uuid>,
        ids: &'a T2,
        actions: &'a T4,
        subject_kinds: &'a T6,
        subjects: &'a T8,
        befores: &'a T10,
        afters: &'a T12,
        notes: &'a T14,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now,
                    actor,
                    actor_key,
                    ids,
                    actions,
                    subject_kinds,
                    subjects,
                    befores,
                    afters,
                    notes,
                    ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
    T9: crate::JsonSql,
    T10: crate::ArraySql<Item = Option<T9>>,
    T11: crate::JsonSql,
    T12: crate::ArraySql<Item = Option<T11>>,
    T13: crate::StringSql,
    T14: crate::ArraySql<Item = Option<T13>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertEntriesParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertEntriesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertEntriesParams<
            T1,
            T2,
            T3,
            T4,
            T5,
            T6,
            T7,
            T8,
            T9,
            T10,
            T11,
            T12,
            T13,
            T14,
        >,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.actor,
            &params.actor_key,
            &params.ids,
            &params.actions,
            &params.subject_kinds,
            &params.subjects,
            &params.befores,
            &params.afters,
            &params.notes,
            &params.ns,
        ))
    }
}
pub struct FindEndOfLookStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_end_of_look() -> FindEndOfLookStmt {
    FindEndOfLookStmt(
        "select e.id from workmill.audit e where e.ns = $1 and e.id < $2 and e.id >= $3 order by e.id desc offset $4 limit 1",
        None,
    )
}
impl FindEndOfLookStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        before_id: &'a uuid::Uuid,
        first_id: &'a uuid::Uuid,
        entries_before: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        UuidUuidQuery {
            client,
            params: [ns, before_id, first_id, entries_before],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindEndOfLookParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4>,
        C,
    > for FindEndOfLookStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindEndOfLookParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        self.bind(
            client,
            &params.ns,
            &params.before_id,
            &params.first_id,
            &params.entries_before,
        )
    }
}
pub struct FindEntriesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_entries() -> FindEntriesStmt {
    FindEntriesStmt(
        "select e.id, e.at, e.actor, e.actor_key, e.action, e.subject_kind, e.subject, e.before, e.after, e.note from workmill.audit e where e.ns = $1 and e.id < $2 and e.id >= $3 and ($4::text is null or e.actor = $4) and ($5::text is null or e.action = $5) and ($6::text is null or e.subject_kind = $6) order by e.id desc limit $7",
        None,
    )
}
impl FindEntriesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::StringSql,
        T3: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        before_id: &'a uuid::Uuid,
        first_id: &'a uuid::Uuid,
        actor: &'a Option<T1>,
        action: &'a Option<T2>,
        subject_kind: &'a Option<T3>,
        most: &'a i64,
    ) -> EntryQuery<'c, 'a, 's, C, Entry, 7> {
        EntryQuery {
            client,
            params: [ns, before_id, first_id, actor, action, subject_kind, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<EntryBorrowed, tokio_postgres::Error> {
                Ok(EntryBorrowed {
                    id: row.try_get(0)?,
                    at: row.try_get(1)?,
                    actor: row.try_get(2)?,
                    actor_key: row.try_get(3)?,
                    action: row.try_get(4)?,
                    subject_kind: row.try_get(5)?,
                    subject: row.try_get(6)?,
                    before: row.try_get(7)?,
                    after: row.try_get(8)?,
                    note: row.try_get(9)?,
                })
            },
            mapper: |it| Entry::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::StringSql, T3: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindEntriesParams<T1, T2, T3>,
        EntryQuery<'c, 'a, 's, C, Entry, 7>,
        C,
    > for FindEntriesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindEntriesParams<T1, T2, T3>,
    ) -> EntryQuery<'c, 'a, 's, C, Entry, 7> {
        self.bind(
            client,
            &params.ns,
            &params.before_id,
            &params.first_id,
            &params.actor,
            &params.action,
            &params.subject_kind,
            &params.most,
        )
    }
}
pub struct FindEntriesOfSubjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_entries_of_subject() -> FindEntriesOfSubjectStmt {
    FindEntriesOfSubjectStmt(
        "select e.id, e.at, e.actor, e.actor_key, e.action, e.subject_kind, e.subject, e.before, e.after, e.note from workmill.audit e where e.ns = $1 and e.subject = $2 and e.id < $3 and e.id >= $4 and ($5::text is null or e.actor = $5) and ($6::text is null or e.action = $6) and ($7::text is null or e.subject_kind = $7) order by e.id desc limit $8",
        None,
    )
}
impl FindEntriesOfSubjectStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::StringSql,
        T3: crate::StringSql,
        T4: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        subject: &'a T1,
        before_id: &'a uuid::Uuid,
        first_id: &'a uuid::Uuid,
        actor: &'a Option<T2>,
        action: &'a Option<T3>,
        subject_kind: &'a Option<T4>,
        most: &'a i64,
    ) -> EntryQuery<'c, 'a, 's, C, Entry, 8> {
        EntryQuery {
            client,
            params: [
                ns,
                subject,
                before_id,
                first_id,
                actor,
                action,
                subject_kind,
                most,
            ],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<EntryBorrowed, tokio_postgres::Error> {
                Ok(EntryBorrowed {
                    id: row.try_get(0)?,
                    at: row.try_get(1)?,
                    actor: row.try_get(2)?,
                    actor_key: row.try_get(3)?,
                    action: row.try_get(4)?,
                    subject_kind: row.try_get(5)?,
                    subject: row.try_get(6)?,
                    before: row.try_get(7)?,
                    after: row.try_get(8)?,
                    note: row.try_get(9)?,
                })
            },
            mapper: |it| Entry::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::StringSql,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindEntriesOfSubjectParams<T1, T2, T3, T4>,
        EntryQuery<'c, 'a, 's, C, Entry, 8>,
        C,
    > for FindEntriesOfSubjectStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindEntriesOfSubjectParams<T1, T2, T3, T4>,
    ) -> EntryQuery<'c, 'a, 's, C, Entry, 8> {
        self.bind(
            client,
            &params.ns,
            &params.subject,
            &params.before_id,
            &params.first_id,
            &params.actor,
            &params.action,
            &params.subject_kind,
            &params.most,
        )
    }
}

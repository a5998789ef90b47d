// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindBlocksParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindQuestionsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub ns: i64,
    pub kinds: T2,
    pub until: Option<jiff::Timestamp>,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindBlocks {
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub waits_for: String,
    pub question: Option<serde_json::Value>,
    pub until: Option<jiff::Timestamp>,
}
pub struct FindBlocksBorrowed<'a> {
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub waits_for: &'a str,
    pub question: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub until: Option<jiff::Timestamp>,
}
impl<'a> From<FindBlocksBorrowed<'a>> for FindBlocks {
    fn from(
        FindBlocksBorrowed {
            task,
            at,
            waits_for,
            question,
            until,
        }: FindBlocksBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            at,
            waits_for: waits_for.into(),
            question: question.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            until,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindQuestions {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub type_name: String,
    pub title: String,
    pub agent: Option<String>,
    pub waits_for: String,
    pub question: Option<serde_json::Value>,
    pub at: jiff::Timestamp,
    pub until: Option<jiff::Timestamp>,
}
pub struct FindQuestionsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub type_name: &'a str,
    pub title: &'a str,
    pub agent: Option<&'a str>,
    pub waits_for: &'a str,
    pub question: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub at: jiff::Timestamp,
    pub until: Option<jiff::Timestamp>,
}
impl<'a> From<FindQuestionsBorrowed<'a>> for FindQuestions {
    fn from(
        FindQuestionsBorrowed {
            task,
            graph,
            project,
            type_name,
            title,
            agent,
            waits_for,
            question,
            at,
            until,
        }: FindQuestionsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            graph,
            project,
            type_name: type_name.into(),
            title: title.into(),
            agent: agent.map(|v| v.into()),
            waits_for: waits_for.into(),
            question: question.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            at,
            until,
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindBlocksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindBlocksBorrowed, tokio_postgres::Error>,
    mapper: fn(FindBlocksBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindBlocksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindBlocksBorrowed) -> R,
    ) -> FindBlocksQuery<'c, 'a, 's, C, R, N> {
        FindBlocksQuery {
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
pub struct FindQuestionsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindQuestionsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindQuestionsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindQuestionsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindQuestionsBorrowed) -> R,
    ) -> FindQuestionsQuery<'c, 'a, 's, C, R, N> {
        FindQuestionsQuery {
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
pub struct FindBlocksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_blocks() -> FindBlocksStmt {
    FindBlocksStmt(
        "select b.task, b.at, b.waits_for, b.question, b.until from workmill.blocked b where b.ns = $1 and b.task = any($2::uuid[])",
        None,
    )
}
impl FindBlocksStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> FindBlocksQuery<'c, 'a, 's, C, FindBlocks, 2> {
        FindBlocksQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindBlocksBorrowed, tokio_postgres::Error> {
                    Ok(FindBlocksBorrowed {
                        task: row.try_get(0)?,
                        at: row.try_get(1)?,
                        waits_for: row.try_get(2)?,
                        question: row.try_get(3)?,
                        until: row.try_get(4)?,
                    })
                },
            mapper: |it| FindBlocks::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindBlocksParams<T1>,
        FindBlocksQuery<'c, 'a, 's, C, FindBlocks, 2>,
        C,
    > for FindBlocksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindBlocksParams<T1>,
    ) -> FindBlocksQuery<'c, 'a, 's, C, FindBlocks, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindQuestionsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_questions() -> FindQuestionsStmt {
    FindQuestionsStmt(
        "select b.task, s.graph, s.project, p.type_name, p.title, l.agent, b.waits_for, b.question, b.at, b.until from ( select w.task, w.waits_for, w.question, w.at, w.until from workmill.blocked w where w.ns = $1 and w.waits_for = any($2::text[]) and (coalesce(w.until, 'infinity'), w.task) > (coalesce($3::timestamptz, 'infinity'), $4::uuid) order by coalesce(w.until, 'infinity'), w.task limit $5 ) as b cross join lateral ( select t.graph, t.project, t.spec_version from workmill.state t where t.ns = $1 and t.task = b.task limit 1 ) as s cross join lateral ( select c.body ->> 'type' as type_name, c.body ->> 'title' as title from workmill.spec c where c.ns = $1 and c.task = b.task and c.version = s.spec_version limit 1 ) as p left join lateral ( select t.agent from workmill.attempt t where t.ns = $1 and t.task = b.task order by t.epoch desc, t.resumed desc limit 1 ) as l on true order by coalesce(b.until, 'infinity'), b.task",
        None,
    )
}
impl FindQuestionsStmt {
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
        T2: crate::ArraySql<Item = T1>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        kinds: &'a T2,
        until: &'a Option<jiff::Timestamp>,
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> FindQuestionsQuery<'c, 'a, 's, C, FindQuestions, 5> {
        FindQuestionsQuery {
            client,
            params: [ns, kinds, until, after, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindQuestionsBorrowed, tokio_postgres::Error> {
                    Ok(FindQuestionsBorrowed {
                        task: row.try_get(0)?,
                        graph: row.try_get(1)?,
                        project: row.try_get(2)?,
                        type_name: row.try_get(3)?,
                        title: row.try_get(4)?,
                        agent: row.try_get(5)?,
                        waits_for: row.try_get(6)?,
                        question: row.try_get(7)?,
                        at: row.try_get(8)?,
                        until: row.try_get(9)?,
                    })
                },
            mapper: |it| FindQuestions::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindQuestionsParams<T1, T2>,
        FindQuestionsQuery<'c, 'a, 's, C, FindQuestions, 5>,
        C,
    > for FindQuestionsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindQuestionsParams<T1, T2>,
    ) -> FindQuestionsQuery<'c, 'a, 's, C, FindQuestions, 5> {
        self.bind(
            client,
            &params.ns,
            &params.kinds,
            &params.until,
            &params.after,
            &params.most,
        )
    }
}

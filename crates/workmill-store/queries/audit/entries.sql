-- The record of what was done by hand. Called by store::audit; nothing ever changes or removes a
-- row.

--! insert_entries (actor_key?, befores[?], afters[?], notes[?])
insert into workmill.audit (
    ns, id, at, actor, actor_key, action, subject_kind, subject, before, after, note
)
select
    a.ns, u.id, :now, :actor, :actor_key, u.action, u.subject_kind, u.subject, u.before, u.after,
    u.note
from
    workmill.anchor a,
    unnest(
        :ids::uuid[], :actions::text[], :subject_kinds::text[], :subjects::text[],
        :befores::jsonb[], :afters::jsonb[], :notes::text[]
    ) as u (id, action, subject_kind, subject, before, after, note)
where a.ns = :ns;

--! find_end_of_look
-- The oldest entry of a stretch of so many: a look has an end, however few entries fit. None:
-- fewer are left.
select e.id
from workmill.audit e
where e.ns = :ns and e.id < :before_id and e.id >= :first_id
order by e.id desc
offset :entries_before
limit 1;

--! find_entries (actor?, action?, subject_kind?) : Entry(actor_key?, before?, after?, note?)
-- Those of a stretch that fit, newest first.
select
    e.id, e.at, e.actor, e.actor_key, e.action, e.subject_kind, e.subject, e.before, e.after,
    e.note
from workmill.audit e
where
    e.ns = :ns and e.id < :before_id and e.id >= :first_id
    and (:actor::text is null or e.actor = :actor)
    and (:action::text is null or e.action = :action)
    and (:subject_kind::text is null or e.subject_kind = :subject_kind)
order by e.id desc
limit :most;

--! find_entries_of_subject (actor?, action?, subject_kind?) : Entry(actor_key?, before?, after?, note?)
-- What was done to one thing, newest first.
select
    e.id, e.at, e.actor, e.actor_key, e.action, e.subject_kind, e.subject, e.before, e.after,
    e.note
from workmill.audit e
where
    e.ns = :ns and e.subject = :subject and e.id < :before_id and e.id >= :first_id
    and (:actor::text is null or e.actor = :actor)
    and (:action::text is null or e.action = :action)
    and (:subject_kind::text is null or e.subject_kind = :subject_kind)
order by e.id desc
limit :most;

-- How much there is, by where tasks rest. Called by store::look::stats.

--! count_places
-- Each place is counted up to a bound: a look at a full queue costs no more than one at a small one.
select
    (
        select count(*)
        from (select r.task from workmill.ready r where r.ns = :ns limit :most) as x
    ) as ready,
    (
        select count(*)
        from (select g.task from workmill.gated g where g.ns = :ns limit :most) as x
    ) as gated,
    (
        select count(*)
        from (select d.task from workmill.due d where d.ns = :ns limit :most) as x
    ) as due,
    (
        select count(*)
        from (select l.task from workmill.lease l where l.ns = :ns limit :most) as x
    ) as leases,
    (
        select count(*)
        from (select b.task from workmill.blocked b where b.ns = :ns limit :most) as x
    ) as blocked,
    (
        select count(*)
        from (select d.task from workmill.dead_letter d where d.ns = :ns limit :most) as x
    ) as dead_letters,
    (
        select count(*)
        from (select f.task from workmill.finished f where f.ns = :ns limit :most) as x
    ) as finished;

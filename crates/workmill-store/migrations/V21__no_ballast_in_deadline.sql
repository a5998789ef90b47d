-- PostgreSQL chooses the right index of `deadline` without ballast rows. `lease`, `edge` and `gated` keep
-- theirs: docs/adr/0009.
delete from workmill.deadline where ns = 0;
alter table workmill.deadline alter column ns reset (n_distinct);

-- What was spent by the day. Called by store::experience::spend.

--! add_to_daily_spend
insert into workmill.daily_spend as d (ns, day, spent_micros)
select a.ns, :day, :spent
from workmill.anchor a
where a.ns = :ns
on conflict (ns, day) do update set spent_micros = d.spent_micros + excluded.spent_micros;

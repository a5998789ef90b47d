-- Lists of resolved dead letters, the newest decision first.
create index resolution_by_time on workmill.resolution (ns, at, task, epoch);

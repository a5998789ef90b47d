-- An agent that is removed and registered again by another key is another agent: what the earlier
-- one has done is not its own. Null: it was created before this column, and counts as created long ago.
alter table workmill.agent add column created_at timestamptz;

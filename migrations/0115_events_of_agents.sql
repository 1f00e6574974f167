-- Finds what one agent did in a log of any length. The events of the person are not in the index: most events are
-- theirs, so a listing of them finds enough without it, and an event of the person costs no further entry.
CREATE INDEX events_of_agents ON events (user_id, actor_id, id DESC) WHERE actor_id <> user_id;

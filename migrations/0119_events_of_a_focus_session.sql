-- The focus session to which the write of an event belongs, as its caller names it. It is not a reference: a proposal may
-- name a session of another system too, and an event stays when a session is gone. Few events name one, so the index is
-- small.
ALTER TABLE events ADD COLUMN session_id uuid;
CREATE INDEX events_of_sessions ON events (user_id, session_id, id DESC) WHERE session_id IS NOT NULL;

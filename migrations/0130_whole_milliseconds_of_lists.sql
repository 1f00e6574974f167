-- These lists page by a cursor, which has the time of a row in whole milliseconds. So the rows keep no finer times.
ALTER TABLE users ALTER COLUMN created_at TYPE timestamptz(3);
ALTER TABLE api_keys ALTER COLUMN created_at TYPE timestamptz(3);
ALTER TABLE invitations ALTER COLUMN created_at TYPE timestamptz(3);
ALTER TABLE knowledge_entries ALTER COLUMN created_at TYPE timestamptz(3), ALTER COLUMN updated_at TYPE timestamptz(3);

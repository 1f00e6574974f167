-- Unread messages of a thread are counted author by author, so that a person's own messages are not read.
CREATE INDEX messages_by_author ON messages (space_id, thread_id, author_id, id) WHERE archived_at IS NULL;

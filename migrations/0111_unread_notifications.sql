-- Unread notifications are listed newest first, and those that quiet hours hold back are found by the end of these hours, without the
-- notifications that a person has read.
CREATE INDEX notifications_new ON notifications (person_id, updated_at DESC, id DESC)
  WHERE read_at IS NULL AND dismissed_at IS NULL;
CREATE INDEX notifications_held ON notifications (person_id, held_until)
  WHERE read_at IS NULL AND dismissed_at IS NULL AND held_until IS NOT NULL;

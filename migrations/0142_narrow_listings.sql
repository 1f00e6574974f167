-- Listings with a filter that few rows match. Without these indexes, they read every row of the person or the space.
CREATE INDEX events_of_type ON events (user_id, type, id DESC);
CREATE INDEX documents_of_title ON documents (space_id, title, updated_at DESC, id DESC) WHERE archived_at IS NULL;
CREATE INDEX knowledge_entries_of_namespace ON knowledge_entries (space_id, namespace, updated_at DESC, id DESC);
CREATE INDEX knowledge_entries_of_status ON knowledge_entries (space_id, status, updated_at DESC, id DESC);
CREATE INDEX notifications_of_kind ON notifications (person_id, kind, updated_at DESC, id DESC);
CREATE INDEX notifications_dismissed ON notifications (person_id, updated_at DESC, id DESC) WHERE dismissed_at IS NOT NULL;
CREATE INDEX proposals_of_actor ON proposals (space_id, actor_id, id DESC);

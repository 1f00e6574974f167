-- Lists with a filter that few of many rows match. Without these indexes, they read every row of the space.
CREATE INDEX artifacts_of_state ON artifacts (space_id, state, id DESC) WHERE archived_at IS NULL;
CREATE INDEX channels_of_type ON channels (space_id, type, updated_at DESC, id DESC) WHERE archived_at IS NULL;
CREATE INDEX focus_sessions_of_status ON focus_sessions (space_id, status, id DESC) WHERE archived_at IS NULL;
CREATE INDEX threads_of_parent ON threads (space_id, parent_channel_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;
DROP INDEX threads_parent;
CREATE INDEX memory_facts_of_level ON memory_facts (space_id, level, created_at DESC, id DESC);
CREATE INDEX memory_facts_of_trust ON memory_facts (space_id, trust, created_at DESC, id DESC);
CREATE INDEX memory_facts_of_session ON memory_facts (space_id, session_id, created_at DESC, id DESC) WHERE session_id IS NOT NULL;
CREATE INDEX proposals_of_kind ON proposals (space_id, proposal_type, id DESC);
CREATE INDEX proposals_of_session ON proposals (space_id, session_id, id DESC) WHERE session_id IS NOT NULL;
-- The unread messages of linked conversations are counted for the latest of them.
CREATE INDEX channels_linked ON channels (space_id, updated_at DESC, id DESC) WHERE context_object_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX threads_linked ON threads (space_id, updated_at DESC, id DESC) WHERE context_object_id IS NOT NULL AND archived_at IS NULL;

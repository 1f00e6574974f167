-- What refers to an object is found from the object's side: each reference of a record gets an index by the id that it holds.
CREATE INDEX channels_context ON channels (context_object_id, space_id)
  WHERE context_object_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX threads_context ON threads (context_object_id, space_id)
  WHERE context_object_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX focus_sessions_channel ON focus_sessions (channel_id, space_id)
  WHERE channel_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX artifacts_session ON artifacts (session_id, space_id)
  WHERE session_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX artifacts_reference ON artifacts (ref_id, space_id)
  WHERE ref_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX tracks_project ON tracks (project_id, space_id)
  WHERE project_id IS NOT NULL AND archived_at IS NULL;

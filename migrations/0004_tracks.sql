-- Tracks: a line of work that is followed over time.
CREATE TABLE tracks (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  status text NOT NULL,
  project_id uuid,
  settings jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX tracks_recent ON tracks (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;

ALTER TABLE tracks ENABLE ROW LEVEL SECURITY;
CREATE POLICY tracks_reach ON tracks TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT, INSERT, UPDATE, DELETE ON tracks TO pod_app;

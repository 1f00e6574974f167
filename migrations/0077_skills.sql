-- Skills: prompts with parameters, which the pod's language model carries out. Of a space, or of their creator alone.
CREATE TABLE skills (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  prompt text NOT NULL,
  parameters jsonb NOT NULL,
  model text,
  timeout_seconds integer NOT NULL,
  is_active boolean NOT NULL,
  scope text NOT NULL CHECK (scope IN ('pod', 'workspace', 'user')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX skills_recent ON skills (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;

ALTER TABLE skills ENABLE ROW LEVEL SECURITY;
CREATE POLICY skills_reach ON skills TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
    AND (scope <> 'user' OR user_id = (SELECT app_person()))
  )
  WITH CHECK (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND (scope <> 'user' OR user_id = (SELECT app_person()))
  );

GRANT SELECT, INSERT, UPDATE, DELETE ON skills TO pod_app;

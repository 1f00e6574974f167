-- Access roles: grants with a name, their owner's own.
CREATE TABLE access_roles (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  "grant" jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX access_roles_recent ON access_roles (space_id, id DESC) WHERE archived_at IS NULL;

ALTER TABLE access_roles ENABLE ROW LEVEL SECURITY;
CREATE POLICY access_roles_reach ON access_roles TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND user_id = (SELECT app_person())
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND user_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON access_roles TO pod_app;

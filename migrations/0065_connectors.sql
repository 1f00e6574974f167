-- Connectors: services outside of the pod that a person connects it with. The credential is an entry of the person's vault.
CREATE TABLE connectors (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  base_url text NOT NULL,
  credential_id uuid,
  status text NOT NULL,
  status_detail text,
  checked_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX connectors_recent ON connectors (space_id, id DESC) WHERE archived_at IS NULL;

ALTER TABLE connectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY connectors_reach ON connectors TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND user_id = (SELECT app_person())
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND user_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON connectors TO pod_app;

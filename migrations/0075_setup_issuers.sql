-- Issuers that asked to set up agents, with the decision of the pod's owner. They are in the owner's own space.
CREATE TABLE setup_issuers (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  issuer_url text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
  agent_type text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX setup_issuers_recent ON setup_issuers (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;
CREATE UNIQUE INDEX setup_issuers_address ON setup_issuers (space_id, issuer_url) WHERE archived_at IS NULL;

ALTER TABLE setup_issuers ENABLE ROW LEVEL SECURITY;
CREATE POLICY setup_issuers_reach ON setup_issuers TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND user_id = (SELECT app_person())
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT, INSERT, UPDATE, DELETE ON setup_issuers TO pod_app;

-- Invitations into the pod: one-time links, of which only a keyed hash is kept.
CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  invited_by uuid NOT NULL,
  -- Whom it is meant for, in the inviter's words.
  note text,
  -- A workspace that the person is let into as well, and as what; asked again when they come.
  workspace_id uuid,
  role text CHECK (role IN ('viewer', 'editor', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  used_by uuid,
  withdrawn_at timestamptz,
  CHECK ((workspace_id IS NULL) = (role IS NULL))
);
CREATE INDEX invitations_by ON invitations (invited_by, created_at DESC, id DESC);

GRANT SELECT, INSERT, UPDATE, DELETE ON invitations TO pod_app;

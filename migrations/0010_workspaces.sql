-- What a workspace is set up with, how far its making came, and which agent it was made for.
ALTER TABLE spaces
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  -- {providerRouting, sourceRoles, defaultSources, publicProjection}, each only where somebody said so.
  ADD COLUMN settings jsonb NOT NULL DEFAULT '{}',
  -- By what a repeated request for an agent's own workspace finds the one it made.
  ADD COLUMN provision_key text;
CREATE UNIQUE INDEX spaces_provision ON spaces (owner_id, provision_key) WHERE provision_key IS NOT NULL;

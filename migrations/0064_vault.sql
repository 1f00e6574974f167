-- The vaults of people, each in the own space of its person. Values are ciphertexts under the data key of the vault, which is itself stored encrypted.
CREATE TABLE vaults (
  person_id uuid NOT NULL,
  space_id uuid NOT NULL,
  -- The data key, encrypted under the key of the pod.
  sealed_key bytea NOT NULL,
  -- The keyed hash of the recovery key, and the data key encrypted under it. Null before the person has made one.
  recovery_hash bytea,
  recovery_sealed_key bytea,
  recovery_made_at timestamptz(3),
  unlocked_at timestamptz(3),
  unlocks integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, space_id),
  CHECK ((recovery_hash IS NULL) = (recovery_sealed_key IS NULL) AND (recovery_hash IS NULL) = (recovery_made_at IS NULL))
);

CREATE TABLE vault_entries (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  space_id uuid NOT NULL,
  name text NOT NULL,
  category text,
  tags jsonb NOT NULL DEFAULT '[]',
  url text,
  sealed_value bytea NOT NULL,
  sealed_notes bytea,
  -- A keyed hash of the value, by which a person finds values that they use twice.
  value_hash bytea NOT NULL,
  -- How many bits somebody has to guess at least, as estimated when the value was written.
  strength_bits integer NOT NULL,
  expires_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  rotated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX vault_entries_of ON vault_entries (person_id, id DESC);

-- With whom an entry is shared. It holds while the owner and the reader are members of the workspace of the share.
CREATE TABLE vault_shares (
  entry_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  person_id uuid NOT NULL,
  -- The workspace that the two have in common.
  space_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (entry_id, person_id, space_id)
);
CREATE INDEX vault_shares_with ON vault_shares (person_id, created_at DESC);

ALTER TABLE vaults ENABLE ROW LEVEL SECURITY;
ALTER TABLE vault_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE vault_shares ENABLE ROW LEVEL SECURITY;
CREATE POLICY vault_shares_reach ON vault_shares TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND (owner_id = (SELECT app_person()) OR person_id = (SELECT app_person())))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND owner_id = (SELECT app_person()));
CREATE POLICY vault_entries_reach ON vault_entries TO pod_app
  USING (
    (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
    OR EXISTS (
      SELECT 1 FROM vault_shares share
      WHERE share.entry_id = vault_entries.id AND share.person_id = (SELECT app_person())))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));
-- Who may read a shared entry needs the data key of its owner, which only the pod can open.
CREATE POLICY vaults_reach ON vaults TO pod_app
  USING (
    (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
    OR EXISTS (
      SELECT 1 FROM vault_shares share
      WHERE share.owner_id = vaults.person_id AND share.person_id = (SELECT app_person())))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON vaults, vault_entries, vault_shares TO pod_app;

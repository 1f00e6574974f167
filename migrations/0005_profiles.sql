-- Profiles that people make, what the properties of a kind have to be, the roles and pictures that entities carry, and
-- by what two entities are told to be one.

-- The profiles every pod has belong to nobody; others to whoever made them.
ALTER TABLE profiles
  ADD COLUMN user_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  ADD COLUMN actor_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  ADD COLUMN parent_profile_id uuid,
  ADD COLUMN default_values jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN ui_hints jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN color text,
  ADD COLUMN applicable_kinds text[] NOT NULL DEFAULT '{}',
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN archived_at timestamptz(3),
  ALTER COLUMN created_at TYPE timestamptz(3),
  ALTER COLUMN updated_at TYPE timestamptz(3),
  -- A deleted profile leaves its slug to another one.
  DROP CONSTRAINT profiles_space_id_slug_key;
CREATE UNIQUE INDEX profiles_slug ON profiles (space_id, slug) WHERE archived_at IS NULL;
CREATE INDEX profiles_recent ON profiles (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;

-- What one property of a kind has to be, for the entities of the space it lives in.
CREATE TABLE property_defs (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  profile_id uuid NOT NULL,
  slug text NOT NULL,
  display_name text,
  value_type text NOT NULL,
  constraints jsonb NOT NULL,
  ui_hints jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX property_defs_recent ON property_defs (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;
CREATE UNIQUE INDEX property_defs_slug ON property_defs (space_id, profile_id, slug) WHERE archived_at IS NULL;

CREATE INDEX property_defs_stamp ON property_defs (space_id, version);

-- Rises with every write to a profile or a definition of the space, in whatever order they commit: what was remembered
-- of a schema holds while this stays. As the caller sees the space; row-level security applies.
CREATE FUNCTION schema_stamp(of_space uuid) RETURNS integer LANGUAGE sql STABLE
  AS $$
    SELECT (coalesce((SELECT sum(version) FROM property_defs WHERE space_id = of_space), 0)
      + coalesce((SELECT sum(version) FROM profiles WHERE space_id = of_space), 0))::integer
  $$;

-- A role that an entity plays besides what it is. Its object is its entity.
CREATE TABLE entity_facets (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  slug text NOT NULL,
  properties jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX entity_facets_recent ON entity_facets (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;
CREATE UNIQUE INDEX entity_facets_slug ON entity_facets (entity_id, slug, space_id) WHERE archived_at IS NULL;

-- A picture of an entity, or the entity of a file that belongs to it.
CREATE TABLE attachments (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  file_name text,
  file_entity_id uuid,
  mime_type text,
  size_bytes integer,
  sha256 text,
  bytes bytea,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX attachments_entity ON attachments (entity_id, space_id, id DESC) WHERE archived_at IS NULL;

-- The title as names are compared, written by the pod. What is there already gets what SQL can tell of it.
ALTER TABLE entities
  ADD COLUMN title_key text,
  -- As updated_at: of a new entity the two are equal.
  ALTER COLUMN created_at TYPE timestamptz(3);
UPDATE entities SET title_key = lower(btrim(title));
CREATE INDEX entities_named ON entities (space_id, profile_slug, title_key) WHERE archived_at IS NULL;

-- Addresses, numbers and handles of an entity, each in the one form in which they are compared. A table of its own:
-- equality of texts is looked up in an index beneath row-level security, and overlap of arrays is not.
CREATE TABLE entity_signals (
  space_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (entity_id, name, value, space_id)
);
CREATE INDEX entity_signals_value ON entity_signals (space_id, value, name);

ALTER TABLE property_defs ENABLE ROW LEVEL SECURITY;
CREATE POLICY property_defs_reach ON property_defs TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));
ALTER TABLE entity_facets ENABLE ROW LEVEL SECURITY;
CREATE POLICY entity_facets_reach ON entity_facets TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));
ALTER TABLE attachments ENABLE ROW LEVEL SECURITY;
CREATE POLICY attachments_reach ON attachments TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]));
ALTER TABLE entity_signals ENABLE ROW LEVEL SECURITY;
CREATE POLICY entity_signals_reach ON entity_signals TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT, INSERT, UPDATE, DELETE ON property_defs, entity_facets, attachments, entity_signals TO pod_app;

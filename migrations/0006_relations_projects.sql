-- Relations between entities, what their types mean, and projects with what is filed in them.

CREATE TABLE relation_defs (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  slug text NOT NULL,
  display_name text NOT NULL,
  description text,
  is_directional boolean NOT NULL,
  inverse_label text,
  -- Kinds that may stand at each end; none named: any.
  source_kinds text[] NOT NULL,
  target_kinds text[] NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX relation_defs_recent ON relation_defs (space_id, id DESC) WHERE archived_at IS NULL;
CREATE INDEX relation_defs_slug ON relation_defs (space_id, slug) WHERE archived_at IS NULL;

-- An edge lives in the space of both its ends.
CREATE TABLE relations (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  source_entity_id uuid NOT NULL,
  target_entity_id uuid NOT NULL,
  type text NOT NULL,
  metadata jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE UNIQUE INDEX relations_edge ON relations (space_id, source_entity_id, target_entity_id, type)
  WHERE archived_at IS NULL;
CREATE INDEX relations_target ON relations (space_id, target_entity_id) WHERE archived_at IS NULL;
CREATE INDEX relations_recent ON relations (space_id, id DESC) WHERE archived_at IS NULL;

CREATE TABLE projects (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  status text NOT NULL,
  settings jsonb NOT NULL,
  metadata jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX projects_recent ON projects (space_id, id DESC) WHERE archived_at IS NULL;

-- What is filed in a project is listed as an edge to it, so it has an id, an author and a time. The id is a UUIDv7
-- where nobody gives one: an entity that is filed as it is made. Its author is then the entity's.
ALTER TABLE entity_projects
  ADD COLUMN id uuid NOT NULL DEFAULT overlay(gen_random_uuid()::text PLACING regexp_replace(
    lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0'), '^(.{8})', '\1-') || '-7'
    FROM 1 FOR 15)::uuid,
  ADD COLUMN user_id uuid,
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now();
CREATE INDEX entity_projects_recent ON entity_projects (space_id, id DESC);

ALTER TABLE relation_defs ENABLE ROW LEVEL SECURITY;
CREATE POLICY relation_defs_reach ON relation_defs TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

-- The objects of an edge are its ends. One in somebody's own space is shown to its author alone.
ALTER TABLE relations ENABLE ROW LEVEL SECURITY;
CREATE POLICY relations_reach ON relations TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR (
      source_entity_id = ANY ((SELECT app_objects())::uuid[])
      AND target_entity_id = ANY ((SELECT app_objects())::uuid[])))
    AND (SELECT app_every_project())
    AND (user_id = (SELECT app_person()) OR (space_id <> user_id AND space_id <> (SELECT app_person())))
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY projects_reach ON projects TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT, INSERT, UPDATE, DELETE ON relation_defs, relations, projects TO pod_app;

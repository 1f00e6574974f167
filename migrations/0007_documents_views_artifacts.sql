-- Documents with their revisions, views of collections, and artifacts: what was produced, and where it is put.
CREATE TABLE documents (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  title text NOT NULL,
  content text,
  type text NOT NULL,
  entity_id uuid,
  project_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX documents_recent ON documents (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;
CREATE INDEX documents_of_entity ON documents (entity_id, space_id) WHERE archived_at IS NULL;
CREATE INDEX documents_of_project ON documents (project_id, space_id) WHERE archived_at IS NULL;

-- A document as each of its writes left it, under the event that tells of the write. Never changed.
CREATE TABLE document_revisions (
  record_id uuid NOT NULL,
  space_id uuid NOT NULL,
  version integer NOT NULL,
  actor_id uuid NOT NULL,
  event_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  title text NOT NULL,
  content text,
  type text NOT NULL,
  entity_id uuid,
  project_id uuid,
  PRIMARY KEY (record_id, space_id, version)
);

CREATE TABLE views (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  profile_id uuid,
  config jsonb NOT NULL,
  metadata jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX views_recent ON views (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;

CREATE TABLE artifacts (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  kind text NOT NULL,
  ref_id text,
  cell_key text,
  props jsonb,
  title text NOT NULL,
  origin_kind text NOT NULL,
  session_id uuid,
  state text NOT NULL,
  placement text NOT NULL,
  kept_at timestamptz(3),
  swept_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX artifacts_recent ON artifacts (space_id, id DESC) WHERE archived_at IS NULL;

ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
CREATE POLICY documents_reach ON documents TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE document_revisions ENABLE ROW LEVEL SECURITY;
CREATE POLICY document_revisions_reach ON document_revisions TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR record_id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE views ENABLE ROW LEVEL SECURITY;
CREATE POLICY views_reach ON views TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE artifacts ENABLE ROW LEVEL SECURITY;
CREATE POLICY artifacts_reach ON artifacts TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT, INSERT, UPDATE, DELETE ON documents, views, artifacts TO pod_app;
GRANT SELECT, INSERT ON document_revisions TO pod_app;

-- The ground every feature stands on: people, spaces, keys, the event log, and the role the pod runs as.

-- The pod connects as (or switches to) pod_app: it owns nothing and cannot bypass row-level security.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'pod_app') THEN
    CREATE ROLE pod_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT;
  END IF;
  EXECUTE format('GRANT pod_app TO %I', current_user);
END
$$;

-- What the present transaction may touch. Set by the authority prefix of each statement; unset means nothing.
CREATE FUNCTION app_spaces() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(nullif(current_setting('app.spaces', true), ''), '{}')::uuid[] $$;
CREATE FUNCTION app_person() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('app.person', true), '')::uuid $$;
-- The three finer axes are '*' (no narrowing) or an array literal; unset is an empty array.
CREATE FUNCTION app_every_kind() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('app.kinds', true) IS NOT DISTINCT FROM '*' $$;
CREATE FUNCTION app_kinds() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(nullif(nullif(current_setting('app.kinds', true), ''), '*'), '{}')::text[] $$;
CREATE FUNCTION app_every_object() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('app.objects', true) IS NOT DISTINCT FROM '*' $$;
CREATE FUNCTION app_objects() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(nullif(nullif(current_setting('app.objects', true), ''), '*'), '{}')::uuid[] $$;
CREATE FUNCTION app_every_project() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('app.projects', true) IS NOT DISTINCT FROM '*' $$;
CREATE FUNCTION app_projects() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(nullif(nullif(current_setting('app.projects', true), ''), '*'), '{}')::uuid[] $$;

-- People, agents and services. An agent acts for person_id; a person's person_id is their own id.
-- authz_epoch rises whenever what the person may touch changes, so that remembered access is noticed as stale.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('person', 'agent', 'service')),
  person_id uuid NOT NULL,
  name text NOT NULL,
  email text,
  capabilities text[] NOT NULL DEFAULT '{}',
  authz_epoch integer NOT NULL DEFAULT 1,
  suspended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON users (lower(email)) WHERE email IS NOT NULL;
CREATE INDEX users_person ON users (person_id);

-- One row: whether the pod has an owner. Claiming it is an update of this row, so only one claim can win.
CREATE TABLE pod_state (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  owner_id uuid,
  claimed_at timestamptz
);
INSERT INTO pod_state DEFAULT VALUES;

CREATE TABLE setup_links (
  token_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);

-- A space is a workspace or a person's own space (whose id is the person's id). Every record lives in one.
CREATE TABLE spaces (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('personal', 'workspace')),
  owner_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  workspace_type text,
  template_id text,
  proposal_id text,
  definition jsonb NOT NULL DEFAULT '{}',
  provisioning_status text NOT NULL DEFAULT 'ready',
  failed_step text,
  failed_step_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  archived_at timestamptz
);
CREATE UNIQUE INDEX spaces_proposal ON spaces (owner_id, proposal_id) WHERE proposal_id IS NOT NULL;

CREATE TABLE memberships (
  user_id uuid NOT NULL,
  space_id uuid NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'editor', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, space_id)
);
CREATE INDEX memberships_space ON memberships (space_id, user_id);

-- A key is kept as a keyed hash; the plaintext is shown once and is nowhere.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  person_id uuid NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  pepper_version integer NOT NULL DEFAULT 1,
  key_prefix text NOT NULL,
  last_four text NOT NULL,
  key_name text NOT NULL,
  key_type text NOT NULL CHECK (key_type IN ('user_pat', 'hub_inbound', 'service', 'system')),
  hub_id text,
  scopes text[] NOT NULL CHECK (cardinality(scopes) >= 1),
  grant_bounds jsonb,
  workspace_id uuid,
  role_id uuid,
  rotated_from_id uuid,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid,
  revoked_reason text,
  last_used_at timestamptz,
  usage_count bigint NOT NULL DEFAULT 0,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX api_keys_person ON api_keys (person_id, created_at DESC, id DESC);

-- Kinds of entity. space_id 00000000-… holds the ones every pod has.
CREATE TABLE profiles (
  space_id uuid NOT NULL,
  id uuid NOT NULL,
  slug text NOT NULL,
  display_name text NOT NULL,
  description text,
  icon text,
  profile_kind text NOT NULL DEFAULT 'kind' CHECK (profile_kind IN ('kind', 'role')),
  entity_scope text NOT NULL DEFAULT 'workspace' CHECK (entity_scope IN ('pod', 'workspace')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, id),
  UNIQUE (space_id, slug)
);
INSERT INTO profiles (space_id, id, slug, display_name, description) VALUES
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000001', 'note', 'Note', 'A short text worth keeping.'),
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000002', 'knowledge', 'Knowledge', 'Something the team knows and relies on.'),
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000003', 'person', 'Person', 'Somebody the team deals with.'),
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000004', 'company', 'Company', 'An organisation the team deals with.'),
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000005', 'task', 'Task', 'Something to be done.'),
  ('00000000-0000-0000-0000-000000000000', '00000000-0000-7000-8000-000000000006', 'portfolio', 'Portfolio', 'A collection that is kept and watched as one.');

CREATE TABLE entities (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  profile_slug text NOT NULL,
  title text NOT NULL,
  preview text,
  description text,
  properties jsonb NOT NULL DEFAULT '{}',
  system_data jsonb NOT NULL DEFAULT '{}',
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  document_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  archived_at timestamptz,
  -- A tsvector holds at most 1 MB; the words past the first 100,000 characters are not searched for.
  search tsvector GENERATED ALWAYS AS (
    to_tsvector('english', title || ' ' || left(coalesce(description, ''), 100000))) STORED,
  PRIMARY KEY (id, space_id)
);
CREATE INDEX entities_recent ON entities (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;
CREATE INDEX entities_kind_recent ON entities (space_id, profile_slug, updated_at DESC, id DESC) WHERE archived_at IS NULL;
CREATE INDEX entities_search ON entities USING gin (search);

CREATE TABLE entity_projects (
  space_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  project_id uuid NOT NULL,
  PRIMARY KEY (entity_id, project_id, space_id)
);
CREATE INDEX entity_projects_project ON entity_projects (project_id, entity_id);

CREATE TABLE knowledge_entries (
  space_id uuid NOT NULL,
  key text NOT NULL,
  id uuid NOT NULL,
  value jsonb,
  namespace text,
  slug text,
  status text NOT NULL DEFAULT 'active',
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  author text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, key)
);
CREATE INDEX knowledge_entries_recent ON knowledge_entries (space_id, updated_at DESC, id DESC);

-- One head per space: taking the next number locks the row, so the numbers of a space have no gaps.
CREATE TABLE stream_heads (
  space_id uuid PRIMARY KEY,
  seq bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE events (
  space_id uuid NOT NULL,
  seq bigint NOT NULL,
  id uuid NOT NULL,
  version text NOT NULL DEFAULT 'v1',
  type text NOT NULL,
  subject_id uuid,
  data jsonb NOT NULL DEFAULT '{}',
  metadata jsonb,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  credential_id text,
  source text NOT NULL CHECK (source IN ('api', 'automation', 'sync', 'migration', 'system', 'intelligence')),
  at timestamptz NOT NULL DEFAULT now(),
  correlation_id uuid NOT NULL,
  causation_id uuid,
  request_id text,
  PRIMARY KEY (space_id, seq)
);
CREATE INDEX events_id ON events (id);
CREATE INDEX events_user ON events (user_id, id DESC);

-- The answer to a mutation that may be sent again. Written in the transaction of its effect.
CREATE TABLE idempotency_keys (
  principal_id text NOT NULL,
  fingerprint bytea NOT NULL,
  status integer,
  answer text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (principal_id, fingerprint)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

ALTER TABLE spaces ENABLE ROW LEVEL SECURITY;
CREATE POLICY spaces_reach ON spaces TO pod_app
  USING (id = ANY ((SELECT app_spaces())::uuid[]));
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
CREATE POLICY memberships_reach ON memberships TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) OR user_id = (SELECT app_person()));
ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
CREATE POLICY profiles_reach ON profiles TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) OR space_id = '00000000-0000-0000-0000-000000000000')
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));
ALTER TABLE entities ENABLE ROW LEVEL SECURITY;
CREATE POLICY entities_reach ON entities TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_kind()) OR profile_slug = ANY ((SELECT app_kinds())::text[]))
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND ((SELECT app_every_project()) OR EXISTS (
      SELECT 1 FROM entity_projects f
      WHERE f.entity_id = entities.id
        AND f.space_id = entities.space_id
        AND f.project_id = ANY ((SELECT app_projects())::uuid[])))
  )
  WITH CHECK (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_kind()) OR profile_slug = ANY ((SELECT app_kinds())::text[]))
  );
ALTER TABLE entity_projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY entity_projects_reach ON entity_projects TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]));
ALTER TABLE knowledge_entries ENABLE ROW LEVEL SECURITY;
CREATE POLICY knowledge_entries_reach ON knowledge_entries TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]));
ALTER TABLE stream_heads ENABLE ROW LEVEL SECURITY;
CREATE POLICY stream_heads_reach ON stream_heads TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]));
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY events_reach ON events TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]));

-- Full text: ids come from here, rows are then read through row-level security. `@@` is not leakproof, so
-- under a policy the index would go unused; the function reads as its owner and bounds itself by app_spaces().
CREATE FUNCTION search_entities(query text, kind text, most integer)
  RETURNS TABLE (id uuid, space_id uuid, rank real)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  AS $$
    SELECT e.id, e.space_id, ts_rank(e.search, websearch_to_tsquery('english', query), 1) AS rank
    FROM public.entities e
    WHERE e.search @@ websearch_to_tsquery('english', query)
      AND e.space_id = ANY (public.app_spaces())
      AND (kind IS NULL OR e.profile_slug = kind)
      AND e.archived_at IS NULL
    ORDER BY rank DESC, e.updated_at DESC, e.id DESC
    LIMIT most
  $$;

GRANT USAGE ON SCHEMA public TO pod_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO pod_app;
REVOKE DELETE, UPDATE ON events FROM pod_app;

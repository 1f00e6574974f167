-- Rules, the runs of their automations, commands and brands.

-- What somebody wants to be known, or done each time something happens. In a person's own space: for all of the pod, or for
-- them alone.
CREATE TABLE rules (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  rule jsonb NOT NULL,
  expires_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX rules_recent ON rules (space_id, id DESC) WHERE archived_at IS NULL;

ALTER TABLE rules ENABLE ROW LEVEL SECURITY;
CREATE POLICY rules_reach ON rules TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

-- One time that an automation was carried out.
CREATE TABLE automation_runs (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  automation_id uuid,
  rule_id uuid,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  output jsonb,
  error text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX automation_runs_recent ON automation_runs (space_id, id DESC) WHERE archived_at IS NULL;

ALTER TABLE automation_runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY automation_runs_reach ON automation_runs TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

-- Commands: what a person can call up by name. Shared with everybody in the space, or for whoever made it alone.
CREATE TABLE commands (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  trigger_slug text,
  skill_id uuid,
  config jsonb NOT NULL,
  sharing text NOT NULL CHECK (sharing IN ('space', 'user')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX commands_recent ON commands (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;

ALTER TABLE commands ENABLE ROW LEVEL SECURITY;
CREATE POLICY commands_reach ON commands TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
    AND (sharing <> 'user' OR user_id = (SELECT app_person()))
  )
  WITH CHECK (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND (sharing <> 'user' OR user_id = (SELECT app_person()))
  );

-- Brands: what things of a space look and sound like.
CREATE TABLE brands (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  is_default boolean NOT NULL,
  project_ids uuid[] NOT NULL,
  tokens jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX brands_recent ON brands (space_id, id DESC) WHERE archived_at IS NULL;

ALTER TABLE brands ENABLE ROW LEVEL SECURITY;
CREATE POLICY brands_reach ON brands TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT, INSERT, UPDATE, DELETE ON rules, automation_runs, commands, brands TO pod_app;

-- What the pod needs to run automations: who ordered a rule, which rules wait for what, and each firing of a rule once.

-- The key that made a rule, whose grant limits what the rule does. Null if a person made or approved it while signed in.
ALTER TABLE rules ADD COLUMN key_id uuid;
-- Whether the rule runs. A person can pause it.
ALTER TABLE rules ADD COLUMN active boolean NOT NULL DEFAULT true;

-- The event that started the run; null for a schedule.
ALTER TABLE automation_runs ADD COLUMN event_id uuid;
CREATE INDEX automation_runs_of_rule ON automation_runs (rule_id, id DESC) WHERE archived_at IS NULL;

-- How many runs led to the event, one after the other; null if no automation wrote it. Only the pod sets it.
ALTER TABLE events ADD COLUMN run_depth smallint;

-- One row for each time that a rule fires. Its id is the id of the run, if there is one.
CREATE TABLE automation_firings (
  id uuid PRIMARY KEY,
  -- The space of the rule.
  space_id uuid NOT NULL,
  person_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  -- The id of the event, or the time of the schedule.
  cause text NOT NULL,
  event_id uuid,
  event_type text,
  event_space_id uuid,
  -- The person whose event it is.
  event_person_id uuid,
  subject_id uuid,
  correlation_id uuid NOT NULL,
  depth smallint NOT NULL,
  seq bigint NOT NULL,
  scheduled_at timestamptz(3),
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'running', 'done')),
  -- Whether the run does no step, because there were too many.
  is_refused boolean NOT NULL DEFAULT false,
  attempt integer NOT NULL DEFAULT 0,
  leased_until timestamptz,
  -- The version of the rule with which the run began.
  rule_version integer,
  began_at timestamptz(3),
  -- What the finished steps made.
  made jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (rule_id, cause)
);
CREATE INDEX automation_firings_waiting ON automation_firings (rule_id, id) WHERE status <> 'done';
CREATE INDEX automation_firings_recent ON automation_firings (rule_id, began_at) WHERE began_at IS NOT NULL;
CREATE INDEX automation_firings_age ON automation_firings (created_at);

ALTER TABLE automation_firings ENABLE ROW LEVEL SECURITY;
CREATE POLICY automation_firings_reach ON automation_firings TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON automation_firings TO pod_app;

-- The rules that are in force, without their texts. Only the functions below read it, which see the rules of everybody.
CREATE VIEW automations_in_force WITH (security_invoker=true) AS
  SELECT rule.id, rule.space_id, rule.user_id, rule.created_at, rule.updated_at,
    rule.rule #>> '{automation,trigger,kind}' AS trigger_kind,
    rule.rule #>> '{automation,trigger,eventType}' AS event_type,
    rule.rule #>> '{automation,trigger,cron}' AS cron,
    rule.rule #>> '{scope,kind}' AS scope_kind,
    (rule.rule #>> '{scope,workspaceId}')::uuid AS scope_workspace_id
  FROM rules rule
  WHERE rule.archived_at IS NULL AND rule.active AND NOT (rule.rule ->> 'draft')::boolean
    AND (rule.expires_at IS NULL OR rule.expires_at > now());
REVOKE ALL ON automations_in_force FROM PUBLIC, pod_app;

-- When the oldest rule was made that waits for events. Null if no rule does.
CREATE FUNCTION automations_since() RETURNS timestamptz
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT min(created_at) FROM public.automations_in_force WHERE trigger_kind = 'event'
  $$;

-- The rules that wait for events of a space: those in the space, and those of its members that are for all their spaces.
CREATE FUNCTION automations_following(of_space uuid) RETURNS TABLE (
    id uuid, person_id uuid, home_id uuid, event_type text, scope_kind text, scope_workspace_id uuid, created_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT rule.id, rule.user_id, rule.space_id, rule.event_type, rule.scope_kind, rule.scope_workspace_id, rule.created_at
    FROM public.memberships member
    JOIN public.automations_in_force rule ON rule.user_id = member.user_id AND rule.space_id IN (of_space, member.user_id)
    WHERE member.space_id = of_space AND rule.trigger_kind = 'event'
  $$;

-- The rules with a schedule. Times before `changed_at` do not concern them.
CREATE FUNCTION automations_scheduled()
  RETURNS TABLE (id uuid, person_id uuid, home_id uuid, cron text, changed_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT rule.id, rule.user_id, rule.space_id, rule.cron, rule.updated_at
    FROM public.automations_in_force rule
    WHERE rule.trigger_kind = 'schedule'
  $$;

-- The rules with a firing that nobody works on, those that have waited longest first.
CREATE FUNCTION automations_due(most integer) RETURNS TABLE (id uuid, person_id uuid, home_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT firing.rule_id, firing.person_id, firing.space_id
    FROM public.automation_firings firing
    WHERE firing.status <> 'done' AND NOT EXISTS (
      SELECT 1 FROM public.automation_firings held WHERE held.rule_id = firing.rule_id AND held.leased_until > now())
    GROUP BY firing.rule_id, firing.person_id, firing.space_id
    ORDER BY min(firing.id::text)
    LIMIT most
  $$;

-- Deletes the firings that ended and are older than a month. The last one of a schedule stays, so that it is not repeated.
CREATE FUNCTION forget_automation_firings() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DELETE FROM public.automation_firings firing
    WHERE firing.created_at < now() - interval '30 days' AND firing.status = 'done'
      AND (firing.scheduled_at IS NULL OR EXISTS (
        SELECT 1 FROM public.automation_firings later
        WHERE later.rule_id = firing.rule_id AND later.scheduled_at > firing.scheduled_at))
  $$;

-- What agents may do unasked, what waits for a person, and what was decided.

-- The first event a decision of the gate led to carries it; its id is the decision's.
ALTER TABLE events ADD COLUMN decision jsonb;

-- Times of day in whole milliseconds, so that a cursor made of one finds its place again.
ALTER TABLE entities ALTER COLUMN updated_at TYPE timestamptz(3);

-- A new agent asks for everything it writes until its person relaxes it.
ALTER TABLE users ADD COLUMN writes_require_proposal boolean NOT NULL DEFAULT true;

-- {governanceMode, autoApproveFor, linkedAgentId}, each only where somebody said so.
ALTER TABLE spaces ADD COLUMN governance jsonb NOT NULL DEFAULT '{}';

-- What the role said when a key was made from it.
ALTER TABLE api_keys ADD COLUMN role_snapshot jsonb;

-- Standing words on agents' writes. A rule for the pod lives in its author's own space and speaks of their agents only.
CREATE TABLE governance_rules (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  principal_kind text NOT NULL CHECK (principal_kind IN ('any', 'agent')),
  agent_user_id uuid,
  scope_kind text NOT NULL CHECK (scope_kind IN ('pod', 'workspace')),
  target_kind text NOT NULL CHECK (target_kind IN ('action', 'profile')),
  target_pattern text NOT NULL,
  target_profile text,
  verdict text NOT NULL CHECK (verdict IN ('auto', 'propose')),
  created_by uuid NOT NULL,
  source_proposal_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  PRIMARY KEY (space_id, id)
);

-- A change that waits for a person, with what it was made from and under whose authority.
CREATE TABLE proposals (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  subject text NOT NULL,
  kind text,
  action text NOT NULL CHECK (action IN ('create', 'update', 'delete')),
  target_type text NOT NULL,
  target_id uuid NOT NULL,
  project_ids uuid[] NOT NULL DEFAULT '{}',
  proposal_type text NOT NULL,
  class text NOT NULL,
  content jsonb NOT NULL,
  content_hash text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  edited_by uuid,
  base jsonb,
  authority jsonb NOT NULL,
  -- About something that only its person reads: so is the proposal.
  is_private boolean NOT NULL,
  summary text NOT NULL,
  reasoning text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN
    ('pending', 'approved', 'rejected', 'auto_approved', 'reverted', 'approval_failed', 'withdrawn', 'expired')),
  status_reason text,
  reason_code text,
  decided_by uuid,
  decided_at timestamptz(3),
  applied jsonb,
  session_id uuid,
  correlation_id uuid NOT NULL,
  filed_event_id uuid NOT NULL,
  settled_event_id uuid,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX proposals_recent ON proposals (space_id, status, id DESC);
CREATE INDEX proposals_target ON proposals (target_id);

ALTER TABLE governance_rules ENABLE ROW LEVEL SECURITY;
CREATE POLICY governance_rules_reach ON governance_rules TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]));
ALTER TABLE proposals ENABLE ROW LEVEL SECURITY;
CREATE POLICY proposals_reach ON proposals TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR target_id = ANY ((SELECT app_objects())::uuid[]))
    AND ((SELECT app_every_project()) OR project_ids && (SELECT app_projects())::uuid[])
    AND (NOT is_private OR user_id = (SELECT app_person()))
  );

GRANT SELECT, INSERT, UPDATE, DELETE ON governance_rules, proposals TO pod_app;

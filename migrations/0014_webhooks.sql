-- Webhooks: where somebody wants to hear of events, their owner's own.
CREATE TABLE webhooks (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  event_types jsonb NOT NULL,
  secret text NOT NULL,
  active boolean NOT NULL,
  retry_config jsonb NOT NULL,
  key_id uuid,
  last_triggered_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX webhooks_recent ON webhooks (space_id, id DESC) WHERE archived_at IS NULL;

ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;
CREATE POLICY webhooks_reach ON webhooks TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND user_id = (SELECT app_person())
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND user_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks TO pod_app;

-- How a person wants to see the pod: theme, view modes and settings of clients. It belongs to the person's own space.
CREATE TABLE preferences (
  space_id uuid NOT NULL,
  person_id uuid NOT NULL,
  content jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, space_id)
);

ALTER TABLE preferences ENABLE ROW LEVEL SECURITY;
CREATE POLICY preferences_reach ON preferences TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON preferences TO pod_app;

-- The recent posts to a person about a workspace, which are counted for its limits. Older rows are deleted at the next post.
CREATE TABLE proactive_posts (
  id uuid PRIMARY KEY,
  -- The person's own space.
  space_id uuid NOT NULL,
  person_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  posted_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX proactive_posts_recent ON proactive_posts (person_id, workspace_id, posted_at);

ALTER TABLE proactive_posts ENABLE ROW LEVEL SECURITY;
CREATE POLICY proactive_posts_reach ON proactive_posts TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));

GRANT SELECT, INSERT, DELETE ON proactive_posts TO pod_app;

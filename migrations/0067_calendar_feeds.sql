-- The calendar feed of a person, in the person's own space: a secret URL, of which only a keyed hash is stored.
CREATE TABLE calendar_feeds (
  person_id uuid NOT NULL,
  space_id uuid NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, space_id)
);

ALTER TABLE calendar_feeds ENABLE ROW LEVEL SECURITY;
CREATE POLICY calendar_feeds_reach ON calendar_feeds TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON calendar_feeds TO pod_app;

-- Whose feed has this token. The caller is a calendar program without a credential.
CREATE FUNCTION calendar_feed_person(of_hash bytea) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT person_id FROM public.calendar_feeds WHERE token_hash = of_hash
  $$;
REVOKE ALL ON FUNCTION calendar_feed_person(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION calendar_feed_person(bytea) TO pod_app;

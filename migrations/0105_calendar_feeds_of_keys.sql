-- The key that made a calendar feed, so that the feed shows what this key may read and ends with it. Null: the person did, in a
-- session. Nobody knows who made the feeds that exist; they stay feeds of their person.
ALTER TABLE calendar_feeds ADD COLUMN key_id uuid;

-- Whose feed has this token, and which key made it. The caller is a calendar program without a credential.
DROP FUNCTION calendar_feed_person(bytea);
CREATE FUNCTION calendar_feed_orderer(of_hash bytea) RETURNS TABLE (person_id uuid, key_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT feed.person_id, feed.key_id FROM public.calendar_feeds feed WHERE feed.token_hash = of_hash
  $$;
REVOKE ALL ON FUNCTION calendar_feed_orderer(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION calendar_feed_orderer(bytea) TO pod_app;

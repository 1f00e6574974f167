-- When each consumer of the log began. Earlier events do not concern it.
CREATE TABLE event_consumers (
  name text PRIMARY KEY,
  began_at timestamptz(3) NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE ON event_consumers TO pod_app;

-- The time since which events concern a webhook: when the oldest active one was made. Null if there is none.
DROP FUNCTION has_webhooks();
CREATE FUNCTION webhooks_since() RETURNS timestamptz
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT min(created_at) FROM public.webhooks WHERE active AND archived_at IS NULL
  $$;

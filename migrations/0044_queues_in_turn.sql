-- Two queues that are created at the same time lock the tables of jobs in different orders. So one waits for the other.
CREATE OR REPLACE FUNCTION pgboss.declare_queue(queue_name text, options json)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS
$$
BEGIN
  IF queue_name !~ '^[a-z][a-zA-Z0-9.-]{0,62}$' THEN
    RAISE EXCEPTION 'not the name of a queue: %', queue_name;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('pgboss.declare_queue'));
  PERFORM pgboss.create_queue(queue_name, options);
  UPDATE pgboss.queue kept
  SET policy = asked.policy, retry_limit = asked."retryLimit", retry_delay = asked."retryDelay",
      retry_backoff = asked."retryBackoff", expire_seconds = asked."expireInSeconds",
      dead_letter = asked."deadLetter", updated_on = now()
  FROM json_to_record(options) AS asked (
    policy text, "retryLimit" integer, "retryDelay" integer, "retryBackoff" boolean, "expireInSeconds" integer, "deadLetter" text
  )
  WHERE kept.name = queue_name
    AND (kept.policy, kept.retry_limit, kept.retry_delay, kept.retry_backoff, kept.expire_seconds, kept.dead_letter)
      IS DISTINCT FROM
      (asked.policy, asked."retryLimit", asked."retryDelay", asked."retryBackoff", asked."expireInSeconds", asked."deadLetter");
END
$$;

-- Counts the records of one type that a person has, or that an agent asked for, and stops at `at_most`. The pod compares
-- the number with the quota of the type. The function counts in every space, so it does not matter which spaces the call
-- reaches. The number never leaves the pod.
CREATE FUNCTION count_owned(of_table text, of_owner uuid, at_most integer) RETURNS integer
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DECLARE condition text; counted integer;
  BEGIN
    condition := CASE of_table
      WHEN 'api_keys' THEN 'person_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())'
      WHEN 'users' THEN $c$person_id = $1 AND kind = 'agent'$c$
      WHEN 'memberships' THEN $c$user_id = $1 AND role = 'owner' AND space_id <> $1$c$
      WHEN 'invitations' THEN 'invited_by = $1 AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > now()'
      WHEN 'governance_rules' THEN 'created_by = $1 AND revoked_at IS NULL'
      WHEN 'proposals' THEN $c$actor_id = $1 AND status = 'pending' AND expires_at > now()$c$
      WHEN 'vault_entries' THEN 'person_id = $1'
      ELSE 'user_id = $1 AND archived_at IS NULL'
    END;
    EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM public.%I WHERE %s LIMIT $2) counted', of_table, condition)
      INTO counted USING of_owner, at_most;
    RETURN counted;
  END
  $$;
REVOKE ALL ON FUNCTION count_owned(text, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_owned(text, uuid, integer) TO pod_app;

CREATE INDEX proposals_waiting_of_actor ON proposals (actor_id) WHERE status = 'pending';
CREATE INDEX api_keys_unrevoked ON api_keys (person_id) WHERE revoked_at IS NULL;
CREATE INDEX webhooks_owned ON webhooks (user_id) WHERE archived_at IS NULL;
CREATE INDEX rules_owned ON rules (user_id) WHERE archived_at IS NULL;
CREATE INDEX views_owned ON views (user_id) WHERE archived_at IS NULL;
CREATE INDEX projects_owned ON projects (user_id) WHERE archived_at IS NULL;
CREATE INDEX tracks_owned ON tracks (user_id) WHERE archived_at IS NULL;

-- While a secret has several values (POD_KEY_PEPPER=new,old), the operator must see how much still needs a former value. The
-- mark says which value made a hash or a signature: the first bytes of its check (secret_checks), which tell nothing about it.
ALTER TABLE api_keys ADD COLUMN secret_mark text;
ALTER TABLE invitations ADD COLUMN secret_mark text;
ALTER TABLE calendar_feeds ADD COLUMN secret_mark text;
ALTER TABLE auth_sessions ADD COLUMN secret_mark text;

-- Gives the mark to the rows that have none: those of versions before this migration. Each start calls it before it can replace
-- the recorded check, so these rows were made with the recorded value.
CREATE FUNCTION mark_secret(of_secret text, its_mark text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    CASE of_secret
      WHEN 'key-pepper' THEN
        UPDATE public.api_keys SET secret_mark = its_mark WHERE secret_mark IS NULL;
        UPDATE public.invitations SET secret_mark = its_mark WHERE secret_mark IS NULL;
        UPDATE public.calendar_feeds SET secret_mark = its_mark WHERE secret_mark IS NULL;
      WHEN 'session-secret' THEN
        UPDATE public.auth_sessions SET secret_mark = its_mark WHERE secret_mark IS NULL;
      ELSE NULL;
    END CASE;
  END
  $$;
REVOKE ALL ON FUNCTION mark_secret(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mark_secret(text, text) TO pod_app;

-- A feed is read by a calendar program without a credential, so no policy lets this call see the row.
CREATE FUNCTION rehash_calendar_feed(former bytea, hash bytea, its_mark text) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE public.calendar_feeds SET token_hash = hash, secret_mark = its_mark WHERE token_hash = former
  $$;
REVOKE ALL ON FUNCTION rehash_calendar_feed(bytea, bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rehash_calendar_feed(bytea, bytea, text) TO pod_app;

CREATE FUNCTION calendar_feeds_without_mark(its_mark text) RETURNS integer
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT count(*)::integer FROM public.calendar_feeds WHERE secret_mark IS DISTINCT FROM its_mark
  $$;
REVOKE ALL ON FUNCTION calendar_feeds_without_mark(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION calendar_feeds_without_mark(text) TO pod_app;

-- The data keys of all vaults, encrypted, so that the pod can encrypt them with a new key of the pod. They open no value: the
-- policies of the entries stay as they are.
CREATE FUNCTION vault_data_keys(after_person uuid, most integer) RETURNS TABLE (person_id uuid, sealed_key bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT vault.person_id, vault.sealed_key FROM public.vaults vault
    WHERE after_person IS NULL OR vault.person_id > after_person
    ORDER BY vault.person_id LIMIT most
  $$;
REVOKE ALL ON FUNCTION vault_data_keys(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION vault_data_keys(uuid, integer) TO pod_app;

-- Only if the vault still has the former ciphertext, because its person may recover it at the same moment.
CREATE FUNCTION replace_vault_data_key(of_person uuid, former bytea, sealed bytea) RETURNS boolean
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH replaced AS (
      UPDATE public.vaults SET sealed_key = sealed WHERE person_id = of_person AND sealed_key = former RETURNING 1)
    SELECT EXISTS (SELECT 1 FROM replaced)
  $$;
REVOKE ALL ON FUNCTION replace_vault_data_key(uuid, bytea, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION replace_vault_data_key(uuid, bytea, bytea) TO pod_app;

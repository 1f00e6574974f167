-- While the secret of a webhook is replaced, calls are signed with the former one too, until this time.
ALTER TABLE webhooks
  ADD COLUMN former_secret text,
  ADD COLUMN former_secret_ends timestamptz(3);
CREATE INDEX webhooks_former_secrets ON webhooks (former_secret_ends) WHERE former_secret IS NOT NULL;

-- Deletes the former secrets whose time has ended.
CREATE FUNCTION forget_former_secrets() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE public.webhooks SET former_secret = NULL, former_secret_ends = NULL
    WHERE former_secret IS NOT NULL AND former_secret_ends <= now()
  $$;

-- Model providers that the owner of the pod has configured. The key of a provider is an entry of the owner's vault.
CREATE TABLE model_providers (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('chat', 'embedding')),
  url text NOT NULL,
  model text NOT NULL,
  credential_id uuid,
  is_active boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE UNIQUE INDEX model_providers_active ON model_providers (space_id, kind) WHERE is_active AND archived_at IS NULL;
CREATE INDEX model_providers_recent ON model_providers (space_id, id DESC) WHERE archived_at IS NULL;

ALTER TABLE model_providers ENABLE ROW LEVEL SECURITY;
CREATE POLICY model_providers_reach ON model_providers TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND user_id = (SELECT app_person())
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND user_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON model_providers TO pod_app;

-- The provider that the pod uses: the active one of its owner, with the ciphertext of its key. It is asked before each call of
-- a model, which belongs to no person.
CREATE FUNCTION active_model_provider(of_kind text)
  RETURNS TABLE (id uuid, stamp text, owner_id uuid, url text, model text, credential_id uuid, credential_url text,
    sealed_value bytea, sealed_key bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT provider.id, concat_ws(' ', provider.version, entry.id, entry.version, md5(vault.sealed_key)), provider.user_id, provider.url, provider.model,
      provider.credential_id, entry.url, entry.sealed_value, vault.sealed_key
    FROM public.pod_state pod
    JOIN public.model_providers provider ON provider.space_id = pod.owner_id AND provider.user_id = pod.owner_id
    LEFT JOIN public.vault_entries entry ON entry.id = provider.credential_id AND entry.person_id = provider.user_id
    LEFT JOIN public.vaults vault ON vault.person_id = entry.person_id
    WHERE provider.kind = of_kind AND provider.is_active AND provider.archived_at IS NULL
  $$;
REVOKE ALL ON FUNCTION active_model_provider(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION active_model_provider(text) TO pod_app;

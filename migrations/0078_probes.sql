-- Rows that a key with the scope `probe` has written. They are marked when they are written, and only calls of such keys that
-- ask for them by id see them.
CREATE FUNCTION app_probe() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(nullif(current_setting('app.probe', true), ''), 'false')::boolean $$;

DO $$
DECLARE
  marked text;
BEGIN
  FOREACH marked IN ARRAY ARRAY['entities', 'entity_projects', 'entity_references', 'entity_signals', 'documents',
    'document_revisions', 'projects', 'tracks', 'views', 'artifacts', 'proposals']
  LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN is_probe boolean NOT NULL DEFAULT false', marked);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN is_probe SET DEFAULT app_probe()', marked);
    EXECUTE format(
      'CREATE POLICY %1$s_probes ON %1$I AS RESTRICTIVE TO pod_app USING (NOT is_probe OR (SELECT app_probe()))', marked);
  END LOOP;
END $$;

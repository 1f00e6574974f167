-- Deletes what probes wrote before a time. Only the pod calls it, in a job; the events of the writes stay in the log.
DO $$
DECLARE
  marked text;
BEGIN
  FOREACH marked IN ARRAY ARRAY['entities', 'documents', 'projects', 'tracks', 'views', 'artifacts', 'proposals']
  LOOP
    EXECUTE format('CREATE INDEX %1$s_of_probes ON %1$I (created_at) WHERE is_probe', marked);
  END LOOP;
END $$;

-- The parts of an entity and the revisions of a document go with it. A trigger deletes what its properties refer to.
CREATE FUNCTION forget_probes(before timestamptz) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH gone AS (
      DELETE FROM public.entities WHERE is_probe AND created_at < before RETURNING id, space_id
    ), projects_of_gone AS (
      DELETE FROM public.entity_projects part USING gone WHERE part.entity_id = gone.id AND part.space_id = gone.space_id
    )
    DELETE FROM public.entity_signals part USING gone WHERE part.entity_id = gone.id AND part.space_id = gone.space_id;

    WITH gone AS (
      DELETE FROM public.documents WHERE is_probe AND created_at < before RETURNING id, space_id
    )
    DELETE FROM public.document_revisions part USING gone WHERE part.record_id = gone.id AND part.space_id = gone.space_id;

    DELETE FROM public.projects WHERE is_probe AND created_at < before;
    DELETE FROM public.tracks WHERE is_probe AND created_at < before;
    DELETE FROM public.views WHERE is_probe AND created_at < before;
    DELETE FROM public.artifacts WHERE is_probe AND created_at < before;
    DELETE FROM public.proposals WHERE is_probe AND created_at < before;
  $$;
REVOKE ALL ON FUNCTION forget_probes(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_probes(timestamptz) TO pod_app;

-- Removes one sample workspace with everything in it, also its part of the log. Returns its id, or null if there is
-- nothing to remove. The caller of the statement must own the workspace, and the workspace must be within the bounds
-- of the statement. The role of the pod may not delete events, so the function runs as the owner of the tables.
CREATE FUNCTION remove_sample_workspace(target uuid) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DECLARE
    part regclass;
  BEGIN
    PERFORM FROM public.spaces
    WHERE id = target
      AND id = ANY (public.app_spaces())
      AND owner_id = public.app_person()
      AND kind = 'workspace'
      AND template_id = 'pod-demo'
      AND workspace_type = 'project'
    FOR UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    -- The list of tables comes from the catalog, so a table of a later migration is not forgotten.
    FOR part IN
      SELECT class.oid::regclass
      FROM pg_class class JOIN pg_attribute field ON field.attrelid = class.oid
      WHERE class.relnamespace = 'public'::regnamespace
        AND class.relkind IN ('r', 'p')
        AND NOT class.relispartition
        AND field.attname = 'space_id'
        AND NOT field.attisdropped
    LOOP
      EXECUTE format('DELETE FROM %s WHERE space_id = $1', part) USING target;
    END LOOP;
    DELETE FROM public.spaces WHERE id = target;
    RETURN target;
  END
  $$;
REVOKE ALL ON FUNCTION remove_sample_workspace(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_sample_workspace(uuid) TO pod_app;

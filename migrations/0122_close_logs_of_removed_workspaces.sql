-- The log of a removed workspace takes no further event. A write that began before the removal waits for the row of the
-- log. Without this rule the write would go on after the removal, and would leave rows that nobody can see.
ALTER TABLE stream_heads ADD COLUMN is_closed boolean NOT NULL DEFAULT false;

-- The error of a failed serialization makes the pod run the call again. The call then finds that the workspace is gone.
CREATE FUNCTION refuse_closed_log() RETURNS trigger
  LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the workspace was removed' USING ERRCODE = 'serialization_failure';
  END
  $$;
CREATE TRIGGER stream_heads_closed AFTER UPDATE ON stream_heads FOR EACH ROW
  WHEN (OLD.is_closed AND NEW.seq > OLD.seq)
  EXECUTE FUNCTION refuse_closed_log();

-- As the owner of the tables, because the statement that archives a workspace also ends the access to it.
CREATE FUNCTION close_log() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    UPDATE public.stream_heads SET is_closed = NEW.archived_at IS NOT NULL WHERE space_id = NEW.id;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER spaces_log AFTER UPDATE ON spaces FOR EACH ROW
  WHEN ((OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL))
  EXECUTE FUNCTION close_log();
UPDATE stream_heads head SET is_closed = true
FROM spaces space
WHERE space.id = head.space_id AND space.archived_at IS NOT NULL;

-- As before, with two differences. It locks the log first, so that every write that is not committed yet either ends
-- before the rows are removed, or is refused. It keeps the row of the log, which is empty and closed.
CREATE OR REPLACE FUNCTION remove_sample_workspace(target uuid) RETURNS uuid
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
    PERFORM FROM public.stream_heads WHERE space_id = target FOR UPDATE;
    -- The list of tables comes from the catalog, so a table of a later migration is not forgotten.
    FOR part IN
      SELECT class.oid::regclass
      FROM pg_class class JOIN pg_attribute field ON field.attrelid = class.oid
      WHERE class.relnamespace = 'public'::regnamespace
        AND class.relkind IN ('r', 'p')
        AND NOT class.relispartition
        AND class.relname <> 'stream_heads'
        AND field.attname = 'space_id'
        AND NOT field.attisdropped
    LOOP
      EXECUTE format('DELETE FROM %s WHERE space_id = $1', part) USING target;
    END LOOP;
    UPDATE public.stream_heads SET seq = 0, is_closed = true WHERE space_id = target;
    DELETE FROM public.spaces WHERE id = target;
    RETURN target;
  END
  $$;

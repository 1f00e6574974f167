-- A removed project contains no entity, so a key that is limited to it reads none. The rows of a removed project wait in
-- a table of their own until the project is restored. So every statement and policy that asks `entity_projects` has the
-- same answer. Triggers move the rows, because an entity can be filed while the statement that removes the project runs.
CREATE TABLE removed_filings (LIKE entity_projects INCLUDING DEFAULTS, PRIMARY KEY (entity_id, project_id, space_id));
CREATE INDEX removed_filings_project ON removed_filings (project_id);
ALTER TABLE removed_filings ENABLE ROW LEVEL SECURITY;
CREATE POLICY removed_filings_reach ON removed_filings TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT ON removed_filings TO pod_app;

CREATE FUNCTION filings_follow_project() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    IF NEW.archived_at IS NOT NULL THEN
      WITH moved AS (DELETE FROM public.entity_projects filed WHERE filed.project_id = NEW.id RETURNING filed.*)
      INSERT INTO public.removed_filings SELECT * FROM moved ON CONFLICT DO NOTHING;
    ELSE
      WITH moved AS (DELETE FROM public.removed_filings filed WHERE filed.project_id = NEW.id RETURNING filed.*)
      INSERT INTO public.entity_projects SELECT * FROM moved ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER projects_filings AFTER UPDATE OF archived_at ON projects FOR EACH ROW
  WHEN ((OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL))
  EXECUTE FUNCTION filings_follow_project();

-- Waits for a statement that removes the project, and then files nothing.
CREATE FUNCTION filing_needs_project() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DECLARE removed timestamptz;
  BEGIN
    SELECT project.archived_at INTO removed FROM public.projects project WHERE project.id = NEW.project_id FOR SHARE;
    IF removed IS NULL THEN
      RETURN NEW;
    END IF;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER entity_projects_project BEFORE INSERT ON entity_projects FOR EACH ROW
  EXECUTE FUNCTION filing_needs_project();

WITH moved AS (
  DELETE FROM entity_projects filed USING projects project
  WHERE project.id = filed.project_id AND project.archived_at IS NOT NULL
  RETURNING filed.*)
INSERT INTO removed_filings SELECT * FROM moved;

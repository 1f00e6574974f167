-- Which entities name an object in their properties, found from the side of the object.

-- Every id in a property, whatever its profile says: a definition may come after the value, and it is asked when somebody reads.
-- A table of its own, because operators of jsonb are not looked up in an index beneath row-level security.
CREATE TABLE entity_references (
  space_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  name text NOT NULL,
  target_id uuid NOT NULL,
  PRIMARY KEY (entity_id, name, target_id, space_id)
);
CREATE INDEX entity_references_target ON entity_references (target_id, entity_id DESC, name, space_id);

-- The ids in properties, alone or in a list. At most 1,000 of an entity, so that one write does not become thousands.
CREATE FUNCTION ids_in_properties(properties jsonb) RETURNS TABLE (name text, target_id uuid)
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT property.key, (item.value #>> '{}')::uuid
    FROM jsonb_each(CASE jsonb_typeof(properties) WHEN 'object' THEN properties ELSE '{}' END) property
    CROSS JOIN LATERAL jsonb_array_elements(
      CASE jsonb_typeof(property.value) WHEN 'array' THEN property.value ELSE jsonb_build_array(property.value) END) item
    WHERE jsonb_typeof(item.value) = 'string'
      AND item.value #>> '{}' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    LIMIT 1000
  $$;

-- As the owner of the tables: whatever writes an entity keeps this up to date, and nothing else writes here.
CREATE FUNCTION entity_referred() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      DELETE FROM public.entity_references WHERE entity_id = OLD.id AND space_id = OLD.space_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO public.entity_references (space_id, entity_id, name, target_id)
      SELECT NEW.space_id, NEW.id, found.name, found.target_id FROM public.ids_in_properties(NEW.properties) found;
    END IF;
    RETURN NULL;
  END
  $$;
-- Most entities have no id in their properties; their writes are not to pay for this.
CREATE TRIGGER entities_added AFTER INSERT ON entities FOR EACH ROW
  WHEN (NEW.properties::text ~* '[0-9a-f]{8}-[0-9a-f]{4}-')
  EXECUTE FUNCTION entity_referred();
CREATE TRIGGER entities_changed AFTER UPDATE ON entities FOR EACH ROW
  WHEN ((OLD.id, OLD.space_id, OLD.properties) IS DISTINCT FROM (NEW.id, NEW.space_id, NEW.properties)
    AND (OLD.properties::text ~* '[0-9a-f]{8}-[0-9a-f]{4}-' OR NEW.properties::text ~* '[0-9a-f]{8}-[0-9a-f]{4}-'))
  EXECUTE FUNCTION entity_referred();
CREATE TRIGGER entities_removed AFTER DELETE ON entities FOR EACH ROW
  WHEN (OLD.properties::text ~* '[0-9a-f]{8}-[0-9a-f]{4}-')
  EXECUTE FUNCTION entity_referred();

INSERT INTO entity_references (space_id, entity_id, name, target_id)
SELECT entity.space_id, entity.id, found.name, found.target_id
FROM entities entity CROSS JOIN LATERAL ids_in_properties(entity.properties) found;

ALTER TABLE entity_references ENABLE ROW LEVEL SECURITY;
CREATE POLICY entity_references_reach ON entity_references TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]));
GRANT SELECT ON entity_references TO pod_app;

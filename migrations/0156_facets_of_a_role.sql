-- The public feed looks for the entities with a role. Without this index, it reads every entity of the space.
CREATE INDEX entity_facets_of_role ON entity_facets (space_id, slug, updated_at DESC, id DESC) WHERE archived_at IS NULL;

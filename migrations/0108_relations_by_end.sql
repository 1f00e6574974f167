-- The edges of one entity, and those of one type, are listed newest first by steps through an index that stop at the limit.
CREATE INDEX relations_source_recent ON relations (space_id, source_entity_id, id DESC) WHERE archived_at IS NULL;
CREATE INDEX relations_target_recent ON relations (space_id, target_entity_id, id DESC) WHERE archived_at IS NULL;
CREATE INDEX relations_type_recent ON relations (space_id, type, id DESC) WHERE archived_at IS NULL;
-- The new index begins with the same columns.
DROP INDEX relations_target;

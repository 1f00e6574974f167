-- Entities with the same name or signal are found newest first, so the indexes that find them end with the id.
CREATE INDEX entities_named_newest ON entities (space_id, profile_slug, title_key, id DESC) WHERE archived_at IS NULL;
DROP INDEX entities_named;
CREATE INDEX entity_signals_newest ON entity_signals (space_id, value, name, entity_id DESC);
DROP INDEX entity_signals_value;

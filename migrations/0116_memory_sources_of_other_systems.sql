-- The source of a memory fact may be an entity or a message of another system, whose id is no UUID.
ALTER TABLE memory_facts
  ALTER COLUMN source_entity_id TYPE text,
  ALTER COLUMN source_message_id TYPE text;
ALTER TABLE memory_revisions
  ALTER COLUMN source_entity_id TYPE text,
  ALTER COLUMN source_message_id TYPE text;

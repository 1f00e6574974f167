-- The list of forgotten facts reads only forgotten facts, and not every fact of the person.
CREATE INDEX memory_facts_forgotten ON memory_facts (space_id, created_at DESC, id DESC)
  WHERE valid_to IS NOT NULL AND superseded_by IS NULL;

-- A proposal to change or delete a record often has neither title nor kind in its content. Then the excerpt has those
-- of the record from which the change was made.
ALTER TABLE proposals
  ADD COLUMN excerpt_base_title text GENERATED ALWAYS AS (left(coalesce(
    CASE WHEN jsonb_typeof(base -> 'fields' -> 'title') = 'string' THEN nullif(base -> 'fields' ->> 'title', '') END,
    CASE WHEN jsonb_typeof(base -> 'fields' -> 'name') = 'string' THEN base -> 'fields' ->> 'name' END, ''), 500)) STORED;

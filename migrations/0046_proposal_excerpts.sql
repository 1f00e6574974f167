-- What a question is compared with, short and beside the content, which may hold a megabyte and is not read for it.
ALTER TABLE proposals
  ADD COLUMN excerpt_title text GENERATED ALWAYS AS (left(coalesce(
    CASE WHEN jsonb_typeof(content -> 'title') = 'string' THEN nullif(content ->> 'title', '') END,
    CASE WHEN jsonb_typeof(content -> 'name') = 'string' THEN content ->> 'name' END, ''), 500)) STORED,
  ADD COLUMN excerpt_kind text GENERATED ALWAYS AS (left(coalesce(
    CASE WHEN jsonb_typeof(content -> 'profileSlug') = 'string' THEN content ->> 'profileSlug' END, ''), 100)) STORED,
  ADD COLUMN excerpt_text text GENERATED ALWAYS AS (
    left(coalesce(CASE WHEN jsonb_typeof(content -> 'description') = 'string' THEN content ->> 'description' END, ''), 2000)
    || ' '
    || left(coalesce(CASE WHEN jsonb_typeof(content -> 'content') = 'string' THEN content ->> 'content' END, ''), 2000))
    STORED;

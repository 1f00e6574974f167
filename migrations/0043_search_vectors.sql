-- What an embedding model makes of the passages that search finds. It can be made again from the rows at any time.

-- How far the model has read the log of a space.
CREATE TABLE search_vector_heads (
  space_id uuid NOT NULL,
  model text NOT NULL,
  -- The number of the last event that was read.
  seq bigint NOT NULL,
  -- Goes up with each write of vectors.
  revision bigint NOT NULL,
  -- Whether every passage had its vector at some time. A search uses the vectors from then on.
  is_complete boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, model)
);

CREATE TABLE search_vectors (
  space_id uuid NOT NULL,
  model text NOT NULL,
  object_id uuid NOT NULL,
  -- Where the passage begins in the text of its object, in characters.
  start integer NOT NULL,
  -- Tells whether the vector is of the present text.
  fingerprint bigint NOT NULL,
  revision bigint NOT NULL,
  -- The scale in eight bytes, then one byte for each number.
  packed bytea NOT NULL,
  PRIMARY KEY (space_id, model, object_id, start)
);
CREATE UNIQUE INDEX search_vectors_revision ON search_vectors (space_id, model, revision, object_id, start);

ALTER TABLE search_vector_heads ENABLE ROW LEVEL SECURITY;
CREATE POLICY search_vector_heads_reach ON search_vector_heads TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE search_vectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY search_vectors_reach ON search_vectors TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT, INSERT, UPDATE, DELETE ON search_vector_heads, search_vectors TO pod_app;

-- The spaces with events that this model has not read. Their ids alone leave the function.
CREATE FUNCTION spaces_without_vectors(of_model text, most integer) RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT head.space_id
    FROM public.stream_heads head
    LEFT JOIN public.search_vector_heads done ON done.space_id = head.space_id AND done.model = of_model
    WHERE done.seq IS NULL OR done.seq < head.seq OR NOT done.is_complete
    ORDER BY done.updated_at NULLS FIRST, head.space_id
    LIMIT most
  $$;

-- The same for memory facts: the persons with facts that this model has not read.
CREATE FUNCTION persons_without_fact_vectors(of_model text, most integer) RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT head.space_id
    FROM public.memory_heads head
    LEFT JOIN public.search_vector_heads done ON done.space_id = head.space_id AND done.model = of_model
    WHERE done.seq IS NULL OR done.seq < head.seq OR NOT done.is_complete
    ORDER BY done.updated_at NULLS FIRST, head.space_id
    LIMIT most
  $$;

-- The share of all events that this model has read, from 0 to 1. It names no space.
CREATE FUNCTION vector_progress(of_model text) RETURNS double precision
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(sum(least(coalesce(done.seq, 0), head.seq))::double precision / nullif(sum(head.seq), 0), 1)
    FROM public.stream_heads head
    LEFT JOIN public.search_vector_heads done ON done.space_id = head.space_id AND done.model = of_model
  $$;

-- Vectors of a model that another one has replaced for longer than a day. Pods of two versions may run beside each other
-- until then.
CREATE FUNCTION forget_replaced_vectors() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH replaced AS (
      DELETE FROM public.search_vector_heads former
      USING public.search_vector_heads present
      WHERE present.space_id = former.space_id AND present.model <> former.model AND present.is_complete
        AND former.updated_at < present.updated_at - interval '1 day'
      RETURNING former.space_id, former.model)
    DELETE FROM public.search_vectors vector
    USING replaced
    WHERE vector.space_id = replaced.space_id AND vector.model = replaced.model
  $$;

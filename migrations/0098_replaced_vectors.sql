-- Vectors that the models in use have replaced for longer than a day. The form without arguments, which pods of an older version call,
-- took the vectors of facts for those of another model, and a model that is used again for one that was replaced.
CREATE FUNCTION forget_replaced_vectors(in_use text[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH replaced AS (
      DELETE FROM public.search_vector_heads former
      USING public.search_vector_heads present
      WHERE present.space_id = former.space_id AND present.model = ANY (in_use) AND present.is_complete
        AND former.model <> ALL (in_use) AND former.updated_at < present.updated_at - interval '1 day'
      RETURNING former.space_id, former.model)
    DELETE FROM public.search_vectors vector
    USING replaced
    WHERE vector.space_id = replaced.space_id AND vector.model = replaced.model
  $$;
REVOKE ALL ON FUNCTION forget_replaced_vectors(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_replaced_vectors(text[]) TO pod_app;

-- Migration 0101 named this function `spaces_behind`. It changes rows, and the pod tells that by the name of a function. Some
-- databases were made from a text of 0101 that had the new name already.
DO $$
BEGIN
  IF to_regprocedure('spaces_behind(text, text[], integer)') IS NOT NULL THEN
    ALTER FUNCTION spaces_behind(text, text[], integer) RENAME TO pass_events;
  END IF;
END
$$;

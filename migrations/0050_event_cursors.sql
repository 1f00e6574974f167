-- How far each consumer has read the log of a space. The log is the outbox: a consumer does its work for the events after
-- its cursor and moves the cursor in the same transaction.
CREATE TABLE event_cursors (
  consumer text NOT NULL,
  space_id uuid NOT NULL,
  -- The number of the last event that was read.
  seq bigint NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, space_id)
);

ALTER TABLE event_cursors ENABLE ROW LEVEL SECURITY;
CREATE POLICY event_cursors_reach ON event_cursors TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT, INSERT, UPDATE, DELETE ON event_cursors TO pod_app;

-- The spaces with events that this consumer has not read. Their ids alone leave the function.
CREATE FUNCTION spaces_behind(of_consumer text, most integer) RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT head.space_id
    FROM public.stream_heads head
    LEFT JOIN public.event_cursors done ON done.space_id = head.space_id AND done.consumer = of_consumer
    WHERE done.seq IS NULL OR done.seq < head.seq
    ORDER BY done.updated_at NULLS FIRST, head.space_id
    LIMIT most
  $$;

-- The spaces with an event of one of these types that this consumer has not read. A space whose further events are all of
-- other types is not returned: its cursor moves past them here, so that no job has to read them. A cursor that a job holds
-- stays where it is. The statement sees one state of the log, in which a space has all events up to the number of its head.
CREATE FUNCTION spaces_behind(of_consumer text, of_types text[], most integer) RETURNS TABLE (id uuid)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH behind AS MATERIALIZED (
      -- No more than this at once, so that a consumer that was away for long is not stopped by the time of a statement.
      SELECT head.space_id, LEAST(head.seq, done.seq + 10000) AS head, done.seq AS done, done.updated_at
      FROM public.stream_heads head
      LEFT JOIN public.event_cursors done ON done.space_id = head.space_id AND done.consumer = of_consumer
      WHERE done.seq IS NULL OR done.seq < head.seq
      ORDER BY done.updated_at NULLS FIRST, head.space_id
      LIMIT most),
    judged AS MATERIALIZED (
      SELECT behind.*, behind.done IS NULL OR EXISTS (
        SELECT FROM public.events event
        WHERE event.space_id = behind.space_id AND event.seq > behind.done AND event.seq <= behind.head
          AND event.type = ANY (of_types)) AS is_concerned
      FROM behind),
    passed AS MATERIALIZED (
      SELECT judged.space_id, judged.head
      FROM judged
      JOIN public.event_cursors cursor ON cursor.consumer = of_consumer AND cursor.space_id = judged.space_id
      WHERE NOT judged.is_concerned AND cursor.seq = judged.done
      FOR UPDATE OF cursor SKIP LOCKED),
    moved AS (
      UPDATE public.event_cursors cursor SET seq = passed.head, updated_at = now()
      FROM passed
      WHERE cursor.consumer = of_consumer AND cursor.space_id = passed.space_id)
    SELECT judged.space_id FROM judged WHERE judged.is_concerned ORDER BY judged.updated_at NULLS FIRST, judged.space_id
  $$;

-- Which webhooks have a delivery that can be sent now. The function reads only webhooks with waiting deliveries, and one
-- delivery of each. It does not read the deliveries that wait for an earlier one of their subject: a claim puts these
-- off until the earlier delivery has ended. The first webhook of each person comes before the second webhook of any
-- person, so the many webhooks of one person do not hold up those of the others.
CREATE OR REPLACE FUNCTION webhooks_due(flying integer, most integer) RETURNS TABLE (id uuid, person_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH RECURSIVE waiting (webhook_id) AS (
      (
        SELECT delivery.webhook_id FROM public.webhook_deliveries delivery
        WHERE delivery.status = 'pending' ORDER BY delivery.webhook_id LIMIT 1
      )
      UNION ALL
      SELECT (
        SELECT delivery.webhook_id FROM public.webhook_deliveries delivery
        WHERE delivery.status = 'pending' AND delivery.webhook_id > waiting.webhook_id
        ORDER BY delivery.webhook_id LIMIT 1
      )
      FROM waiting WHERE waiting.webhook_id IS NOT NULL
    )
    SELECT due.id, due.user_id
    FROM (
      SELECT webhook.id, webhook.user_id, first.due_at,
        row_number() OVER (PARTITION BY webhook.user_id ORDER BY first.due_at, webhook.id) AS place
      FROM waiting
      JOIN public.webhooks webhook
        ON webhook.id = waiting.webhook_id AND webhook.active AND webhook.archived_at IS NULL
      JOIN public.users person ON person.id = webhook.user_id AND person.suspended_at IS NULL
      LEFT JOIN public.webhook_states state ON state.webhook_id = webhook.id
      CROSS JOIN LATERAL (
        SELECT delivery.due_at
        FROM public.webhook_deliveries delivery
        JOIN public.memberships member
          ON member.space_id = delivery.space_id AND member.user_id = delivery.person_id
        WHERE delivery.webhook_id = webhook.id AND delivery.status = 'pending' AND delivery.due_at <= now()
          AND (delivery.leased_until IS NULL OR delivery.leased_until <= now())
        ORDER BY delivery.due_at, delivery.id
        LIMIT 1) first
      WHERE state.disabled_reason IS NULL
        AND (
          SELECT count(*) FROM public.webhook_deliveries other
          WHERE other.webhook_id = webhook.id AND other.status = 'pending' AND other.leased_until > now()) < flying
    ) due
    ORDER BY due.place, due.due_at, due.id
    LIMIT most
  $$;

-- A delivery from a workspace that its person has left is never sent. Without this, the search above reads it each time.
CREATE OR REPLACE FUNCTION forget_webhook_deliveries() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DELETE FROM public.webhook_deliveries WHERE created_at < now() - interval '30 days';
    DELETE FROM public.webhook_deliveries delivery
    WHERE delivery.status = 'pending' AND NOT EXISTS (
      SELECT 1 FROM public.memberships member
      WHERE member.space_id = delivery.space_id AND member.user_id = delivery.person_id)
  $$;

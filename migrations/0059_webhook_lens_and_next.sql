-- How the webhooks are found that an event or a waiting delivery concerns. A webhook may follow only what happens inside the
-- pod, or only what comes from outside.
ALTER TABLE webhooks ADD COLUMN lens text NOT NULL DEFAULT 'all' CHECK (lens IN ('all', 'internal', 'external'));

DROP FUNCTION webhooks_following(uuid);
CREATE FUNCTION webhooks_following(of_space uuid)
  RETURNS TABLE (id uuid, person_id uuid, home_id uuid, event_types jsonb, lens text, created_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT webhook.id, webhook.user_id, webhook.space_id, webhook.event_types, webhook.lens, webhook.created_at
    FROM public.memberships member
    JOIN public.webhooks webhook ON webhook.user_id = member.user_id
      AND webhook.space_id IN (of_space, member.user_id)
    LEFT JOIN public.webhook_states state ON state.webhook_id = webhook.id
    WHERE member.space_id = of_space AND webhook.active AND webhook.archived_at IS NULL
      AND state.disabled_reason IS NULL
  $$;

-- The next delivery of a webhook, and the calls that are made now, without reading all that wait.
CREATE INDEX webhook_deliveries_next ON webhook_deliveries (webhook_id, due_at, id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_flying ON webhook_deliveries (webhook_id, leased_until)
  WHERE status = 'pending' AND leased_until IS NOT NULL;
CREATE INDEX webhooks_of_person ON webhooks (user_id, space_id) WHERE archived_at IS NULL;

-- The webhooks for which a call can be made now, with their persons, those that have waited longest first.
CREATE OR REPLACE FUNCTION webhooks_due(flying integer, most integer) RETURNS TABLE (id uuid, person_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT webhook.id, webhook.user_id
    FROM public.webhooks webhook
    JOIN public.users person ON person.id = webhook.user_id AND person.suspended_at IS NULL
    LEFT JOIN public.webhook_states state ON state.webhook_id = webhook.id
    CROSS JOIN LATERAL (
      SELECT delivery.due_at
      FROM public.webhook_deliveries delivery
      JOIN public.memberships member ON member.space_id = delivery.space_id AND member.user_id = delivery.person_id
      WHERE delivery.webhook_id = webhook.id AND delivery.status = 'pending' AND delivery.due_at <= now()
        AND (delivery.leased_until IS NULL OR delivery.leased_until <= now())
        AND NOT EXISTS (
          SELECT 1 FROM public.webhook_deliveries earlier
          WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject_id = delivery.subject_id
            AND earlier.status = 'pending' AND earlier.seq < delivery.seq)
      ORDER BY delivery.due_at
      LIMIT 1) waiting
    WHERE webhook.active AND webhook.archived_at IS NULL AND state.disabled_reason IS NULL
      AND (
        SELECT count(*) FROM public.webhook_deliveries other
        WHERE other.webhook_id = webhook.id AND other.status = 'pending' AND other.leased_until > now()) < flying
    ORDER BY waiting.due_at
    LIMIT most
  $$;

-- One row for each event that is sent to a webhook.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  -- The space of the event.
  space_id uuid NOT NULL,
  person_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  -- The space of the webhook.
  home_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  -- Calls about one subject are made in this order.
  seq bigint NOT NULL,
  subject_id uuid NOT NULL,
  is_test boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'success', 'failed')),
  attempt integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  -- While a call is made; a pod that is killed leaves it behind, and the call is made again after this time.
  leased_until timestamptz,
  response_status integer,
  response_body text,
  error text,
  delivered_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (webhook_id, event_id)
);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, subject_id, seq) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_recent ON webhook_deliveries (webhook_id, id DESC);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
CREATE POLICY webhook_deliveries_reach ON webhook_deliveries TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));

-- What the calls of a webhook have shown. A webhook that was never called has no row.
CREATE TABLE webhook_states (
  webhook_id uuid PRIMARY KEY,
  space_id uuid NOT NULL,
  person_id uuid NOT NULL,
  last_triggered_at timestamptz(3),
  -- Since when every call has failed. Null after a success.
  failing_since timestamptz(3),
  -- Why the pod stopped to call the webhook. Null while it calls it.
  disabled_reason text
);

ALTER TABLE webhook_states ENABLE ROW LEVEL SECURITY;
CREATE POLICY webhook_states_reach ON webhook_states TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries, webhook_states TO pod_app;

-- The active webhooks that follow a space: those in the space, and those of its members that are for all their spaces.
-- No address and no secret leaves the function.
CREATE FUNCTION webhooks_following(of_space uuid)
  RETURNS TABLE (id uuid, person_id uuid, home_id uuid, event_types jsonb, created_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT webhook.id, webhook.user_id, webhook.space_id, webhook.event_types, webhook.created_at
    FROM public.memberships member
    JOIN public.webhooks webhook ON webhook.user_id = member.user_id
      AND webhook.space_id IN (of_space, member.user_id)
    LEFT JOIN public.webhook_states state ON state.webhook_id = webhook.id
    WHERE member.space_id = of_space AND webhook.active AND webhook.archived_at IS NULL
      AND state.disabled_reason IS NULL
  $$;

-- Whether any webhook is active.
CREATE FUNCTION has_webhooks() RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM public.webhooks WHERE active AND archived_at IS NULL)
  $$;

-- The webhooks for which a call can be made now, with their persons: less than `flying` calls are made, and no earlier call
-- about the same subject waits.
CREATE FUNCTION webhooks_due(flying integer, most integer) RETURNS TABLE (id uuid, person_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT delivery.webhook_id, delivery.person_id
    FROM public.webhook_deliveries delivery
    JOIN public.memberships member ON member.space_id = delivery.space_id AND member.user_id = delivery.person_id
    JOIN public.users person ON person.id = delivery.person_id AND person.suspended_at IS NULL
    JOIN public.webhooks webhook ON webhook.id = delivery.webhook_id AND webhook.active AND webhook.archived_at IS NULL
    LEFT JOIN public.webhook_states state ON state.webhook_id = delivery.webhook_id
    WHERE delivery.status = 'pending' AND delivery.due_at <= now() AND state.disabled_reason IS NULL
      AND (delivery.leased_until IS NULL OR delivery.leased_until <= now())
      AND NOT EXISTS (
        SELECT 1 FROM public.webhook_deliveries earlier
        WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject_id = delivery.subject_id
          AND earlier.status = 'pending' AND earlier.seq < delivery.seq)
      AND (
        SELECT count(*) FROM public.webhook_deliveries other
        WHERE other.webhook_id = delivery.webhook_id AND other.status = 'pending' AND other.leased_until > now()) < flying
    GROUP BY delivery.webhook_id, delivery.person_id
    ORDER BY min(delivery.due_at)
    LIMIT most
  $$;

-- Deletes the deliveries that are older than a month.
CREATE FUNCTION forget_webhook_deliveries() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DELETE FROM public.webhook_deliveries WHERE created_at < now() - interval '30 days'
  $$;

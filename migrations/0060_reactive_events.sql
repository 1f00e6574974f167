-- The events that the pulse shows without looking at what reacted to them. The condition is that of ReactiveEventSql.ts.
CREATE INDEX events_reactive ON events (user_id, id DESC)
  WHERE source IN ('automation', 'intelligence') OR actor_id <> user_id
    OR type LIKE 'automation.%' OR type LIKE 'cron.%' OR type LIKE 'ai.%' OR type LIKE 'feed.item.%'
    OR type = 'webhook.received' OR type = 'webhook.disabled';
CREATE INDEX events_caused ON events (causation_id) WHERE causation_id IS NOT NULL;
CREATE INDEX webhook_deliveries_events ON webhook_deliveries (person_id, event_id DESC);

-- Each call of a delivery, and how long the last one took: an address that answers slowly is found before it fails.

-- The latest calls, oldest first, each with its number, its time, its latency and what was answered.
ALTER TABLE webhook_deliveries ADD COLUMN attempts jsonb NOT NULL DEFAULT '[]';
-- When the last call ended, and how long it took.
ALTER TABLE webhook_deliveries ADD COLUMN ended_at timestamptz(3);
ALTER TABLE webhook_deliveries ADD COLUMN latency_ms integer;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (webhook_id, ended_at) WHERE ended_at IS NOT NULL;

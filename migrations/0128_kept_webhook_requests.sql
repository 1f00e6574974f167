-- What the pod has sent to a webhook. The beginning of the body is the event as the receiver gets it. It is stored once
-- for all calls of a delivery. `attempts` has the headers and the end of the body of each call.
ALTER TABLE webhook_deliveries ADD COLUMN body_start text;

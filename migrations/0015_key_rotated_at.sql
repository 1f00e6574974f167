-- When a key got its successor: it has one, and cannot be rotated again while it lives on beside it.

ALTER TABLE api_keys ADD COLUMN rotated_at timestamptz;

UPDATE api_keys SET rotated_at = next.created_at
FROM api_keys next
WHERE next.rotated_from_id = api_keys.id;

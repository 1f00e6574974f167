-- The proposal that a call became. The column has no reference, because a proposal can be deleted before the call.
ALTER TABLE api_key_calls ADD COLUMN proposal_id uuid;

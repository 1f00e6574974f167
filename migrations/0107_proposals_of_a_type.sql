-- The rules that wait for a decision are listed by steps through an index, without a look at the proposals about other records.
CREATE INDEX proposals_of_type ON proposals (space_id, target_type, id DESC) WHERE status = 'pending';

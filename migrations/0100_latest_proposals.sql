-- A list of proposals of every status reads the latest of each space. Without this index it read all of them.
CREATE INDEX proposals_latest ON proposals (space_id, id DESC);

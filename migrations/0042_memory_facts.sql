-- Memory: facts that a person's programs keep for that person. A fact is never destroyed: it is ended, and can be taken up again.

-- The number of the last write of a person's facts. A write names the number that it was planned on.
CREATE TABLE memory_heads (
  space_id uuid PRIMARY KEY,
  seq bigint NOT NULL
);

CREATE TABLE memory_facts (
  id uuid NOT NULL,
  -- The person's own space: facts belong to one person.
  space_id uuid NOT NULL,
  -- The number of the last write that touched the row.
  seq bigint NOT NULL,
  -- The first fact of the chain in which each fact replaced the one before.
  lineage uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  fact text NOT NULL,
  level text NOT NULL CHECK (level IN ('fact', 'turn', 'summary', 'session', 'write')),
  trust text NOT NULL CHECK (trust IN ('person', 'agent', 'import')),
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  -- SHA-256 of the words that make two facts the same.
  same_hash text NOT NULL,
  -- How many writes said it.
  times integer NOT NULL DEFAULT 1,
  session_id text,
  turn_no integer,
  role text,
  said_at timestamptz(3),
  -- What a write named as its target.
  target text,
  source_entity_id uuid,
  source_message_id uuid,
  valid_from timestamptz(3) NOT NULL,
  valid_to timestamptz(3),
  superseded_by uuid,
  end_reason text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, id)
);
CREATE UNIQUE INDEX memory_facts_seq ON memory_facts (space_id, seq, id);
CREATE UNIQUE INDEX memory_facts_same ON memory_facts (space_id, same_hash) WHERE valid_to IS NULL;
CREATE INDEX memory_facts_newest ON memory_facts (space_id, created_at DESC, id DESC);

-- What each write did to a fact, with its wording and its sources. Never changed.
CREATE TABLE memory_revisions (
  space_id uuid NOT NULL,
  seq bigint NOT NULL,
  place integer NOT NULL,
  lineage uuid NOT NULL,
  fact_id uuid NOT NULL,
  what text NOT NULL CHECK (what IN ('add', 'fold', 'unfold', 'end', 'restore')),
  fact text NOT NULL,
  trust text NOT NULL,
  actor_id uuid NOT NULL,
  reason text,
  -- The id that a folded fact was written under.
  written_as uuid,
  superseded_by uuid,
  source_entity_id uuid,
  source_message_id uuid,
  event_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, seq, place)
);
CREATE INDEX memory_revisions_lineage ON memory_revisions (space_id, lineage, seq DESC, place DESC);
CREATE INDEX memory_revisions_written_as ON memory_revisions (space_id, written_as) WHERE written_as IS NOT NULL;

-- The vectors that callers gave: as they came (little-endian float32), and packed to bytes with their scale in front.
CREATE TABLE memory_vectors (
  space_id uuid NOT NULL,
  fact_id uuid NOT NULL,
  seq bigint NOT NULL,
  floats bytea NOT NULL,
  packed bytea NOT NULL,
  PRIMARY KEY (space_id, fact_id)
);
CREATE INDEX memory_vectors_seq ON memory_vectors (space_id, seq, fact_id);

ALTER TABLE memory_heads ENABLE ROW LEVEL SECURITY;
CREATE POLICY memory_heads_reach ON memory_heads TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE memory_facts ENABLE ROW LEVEL SECURITY;
CREATE POLICY memory_facts_reach ON memory_facts TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND user_id = space_id);

ALTER TABLE memory_revisions ENABLE ROW LEVEL SECURITY;
CREATE POLICY memory_revisions_reach ON memory_revisions TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE memory_vectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY memory_vectors_reach ON memory_vectors TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

GRANT SELECT, INSERT, UPDATE ON memory_heads, memory_facts, memory_vectors TO pod_app;
GRANT SELECT, INSERT ON memory_revisions TO pod_app;

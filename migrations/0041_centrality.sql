-- The latest ranking of the entities that a person reads: one row a person, which only statements for that person read.
CREATE TABLE centrality_runs (
  person_id uuid PRIMARY KEY,
  computed_at timestamptz(3) NOT NULL DEFAULT now(),
  -- [{id, score}], the most central first.
  scores jsonb NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON centrality_runs TO pod_app;

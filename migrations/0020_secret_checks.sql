-- By which a pod notices, before it serves, that a secret it was given is not the one this database was used with:
-- the keyed hash of a fixed text under each secret. It tells nothing about a secret that cannot be guessed.
CREATE TABLE secret_checks (
  name text PRIMARY KEY,
  mac bytea NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE ON secret_checks TO pod_app;

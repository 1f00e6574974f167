-- What each key was used for: calls by day (UTC), and its last calls. Written after the answers, many calls at once.
CREATE TABLE api_key_days (
  key_id uuid NOT NULL,
  day date NOT NULL,
  calls integer NOT NULL,
  refusals integer NOT NULL,
  PRIMARY KEY (key_id, day)
);

CREATE TABLE api_key_calls (
  id uuid PRIMARY KEY,
  key_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  surface text NOT NULL,
  operation text,
  status integer NOT NULL,
  code text,
  reason text,
  address text,
  user_agent text
);
CREATE INDEX api_key_calls_latest ON api_key_calls (key_id, at DESC, id DESC);

GRANT SELECT, INSERT, UPDATE, DELETE ON api_key_days, api_key_calls TO pod_app;

-- The tokens that the pods over this database have spent on models, a row a day (UTC).
CREATE TABLE model_tokens (
  day date PRIMARY KEY,
  spent bigint NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON model_tokens TO pod_app;

-- The tokens that the pods over this database have spent on each model service, one row for each day (UTC).
CREATE TABLE model_tokens (
  service text NOT NULL,
  day date NOT NULL,
  spent bigint NOT NULL,
  PRIMARY KEY (service, day)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON model_tokens TO pod_app;

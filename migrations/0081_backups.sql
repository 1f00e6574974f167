-- The backups that pods of this database have made, so that one of several pods makes the next one when it is due.
CREATE TABLE backups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  made_at timestamptz(3) NOT NULL DEFAULT now(),
  file text NOT NULL,
  size_bytes bigint NOT NULL
);

GRANT SELECT ON backups TO pod_app;

-- One row that a pod changes to learn whether the database stores anything: a server that answers reads may refuse writes.
CREATE TABLE write_probes (
  id smallint PRIMARY KEY CHECK (id = 1),
  tried_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO write_probes (id) VALUES (1);

GRANT SELECT, UPDATE ON write_probes TO pod_app;

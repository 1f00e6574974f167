-- Knowledge entries get versions: what each write left stays readable, and the row says who wrote it last.
ALTER TABLE knowledge_entries ADD COLUMN version integer NOT NULL DEFAULT 1;
CREATE UNIQUE INDEX knowledge_entries_id ON knowledge_entries (id, space_id);

-- The last writer of the rows there are, as the gate let them through; an event that somebody logged by hand is none.
UPDATE knowledge_entries entry
SET actor_id = latest.actor_id, user_id = latest.user_id
FROM (
  SELECT DISTINCT ON (written.space_id, written.subject_id)
    written.space_id, written.subject_id, written.actor_id, written.user_id
  FROM events written
  WHERE written.type LIKE 'entity.knowledge.%' AND written.decision ->> 'permission' LIKE 'entity.knowledge.%'
  ORDER BY written.space_id, written.subject_id, written.seq DESC) latest
WHERE latest.subject_id = entry.id AND latest.space_id = entry.space_id;

-- An entry as each of its writes left it, under the event that tells of the write. Never changed.
CREATE TABLE knowledge_revisions (
  record_id uuid NOT NULL,
  space_id uuid NOT NULL,
  version integer NOT NULL,
  actor_id uuid NOT NULL,
  -- NULL: it was there before versions were kept.
  event_id uuid,
  at timestamptz(3) NOT NULL,
  value jsonb,
  namespace text,
  slug text,
  status text NOT NULL,
  author text,
  PRIMARY KEY (record_id, space_id, version)
);

INSERT INTO knowledge_revisions (record_id, space_id, version, actor_id, at, value, namespace, slug, status, author)
SELECT id, space_id, version, actor_id, updated_at, value, namespace, slug, status, author
FROM knowledge_entries;

ALTER TABLE knowledge_revisions ENABLE ROW LEVEL SECURITY;
CREATE POLICY knowledge_revisions_reach ON knowledge_revisions TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));
GRANT SELECT, INSERT ON knowledge_revisions TO pod_app;

/**
 * The SQL statements of the floor (the minimal server for comparison). Each statement is written by hand. It uses the
 * tables of the pod, and does only the work that its route needs.
 */

const columnsOf = (alias: string) =>
  `id, space_id, profile_slug, title, preview, description, properties, system_data, user_id, document_id, version,
   created_at, updated_at`
    .split(/,\s*/)
    .map((name) => `${alias}.${name}`)
    .join(", ")

/** Finds a key by its hash. The key must be valid and have the scope, and its person must not be suspended. */
const key = (scope: string) => `
  key AS MATERIALIZED (
    SELECT key.id, key.user_id, key.person_id
    FROM api_keys key
    JOIN users person ON person.id = key.person_id
    WHERE key.key_hash = $1
      AND key.revoked_at IS NULL
      AND (key.expires_at IS NULL OR key.expires_at > now())
      AND person.suspended_at IS NULL
      AND '${scope}' = ANY (key.scopes))`

/** Reads an entity. Parameter: $2 is the id of the entity. */
export const getEntity = `
  WITH ${key("hub-protocol.read")}
  SELECT key.id AS key_id, found.*
  FROM key LEFT JOIN LATERAL (
    SELECT ${columnsOf("entity")}
    FROM entities entity
    JOIN memberships member ON member.user_id = key.person_id AND member.space_id = entity.space_id
    WHERE entity.id = $2::uuid
      AND entity.archived_at IS NULL) found ON true`

/** Lists entities. Parameter: $2 is the limit. */
export const listEntities = (scope: string) => `
  WITH ${key(scope)}
  SELECT key.id AS key_id, key.person_id, listed.*
  FROM key LEFT JOIN LATERAL (
    SELECT entity.*
    FROM memberships member
    CROSS JOIN LATERAL (
      SELECT ${columnsOf("entity")}
      FROM entities entity
      WHERE entity.space_id = member.space_id
        AND entity.archived_at IS NULL
      ORDER BY entity.updated_at DESC, entity.id DESC
      LIMIT $2) entity
    WHERE member.user_id = key.person_id
    ORDER BY entity.updated_at DESC, entity.id DESC
    LIMIT $2) listed ON true`

export const keyStatus = `
  SELECT key.id, key.key_name, key.key_type, key.scopes, key.grant_bounds, key.workspace_id, key.created_at,
    key.expires_at, key.last_used_at, key.tool_profile, person.id AS person_id, person.email, person.name
  FROM api_keys key
  JOIN users person ON person.id = key.person_id
  WHERE key.key_hash = $1
    AND key.revoked_at IS NULL
    AND (key.expires_at IS NULL OR key.expires_at > now())
    AND person.suspended_at IS NULL
    AND 'hub-protocol.read' = ANY (key.scopes)`

const mayWrite = (space: string) => `EXISTS (
      SELECT 1 FROM memberships member
      WHERE member.user_id = key.person_id
        AND member.space_id = ${space}
        AND member.role IN ('owner', 'admin', 'editor'))`

/**
 * Creates an entity with its event. Parameters: $2 id, $3 space (null for the person's own space), $4 kind, $5 title,
 * $6 preview, $7 description, $8 properties, $9 event id, $10 event type, $11 event data, $12 request id, $13 decision.
 */
export const createEntity = `
  WITH ${key("hub-protocol.write")},
  changed AS (
    INSERT INTO entities (id, space_id, profile_slug, title, preview, description, properties, user_id, actor_id)
    SELECT $2::uuid, coalesce($3::uuid, key.person_id), profile.slug, $5, $6, $7, $8::jsonb, key.person_id, key.user_id
    FROM key
    JOIN profiles profile ON profile.slug = $4
      AND profile.space_id IN ('00000000-0000-0000-0000-000000000000', coalesce($3::uuid, key.person_id))
    WHERE ${mayWrite("coalesce($3::uuid, key.person_id)")}
    LIMIT 1
    RETURNING *),
  head AS (
    UPDATE stream_heads
    SET seq = seq + 1
    WHERE space_id = (SELECT changed.space_id FROM changed)
    RETURNING space_id, seq),
  logged AS (
    INSERT INTO events (space_id, seq, id, type, subject_id, data, user_id, actor_id, credential_id, source,
      correlation_id, request_id, decision)
    SELECT head.space_id, head.seq, $9::uuid, $10, $2::uuid, $11::jsonb, key.person_id, key.user_id, key.id, 'api',
      $12::uuid, $12::text, $13::jsonb
    FROM head, key
    RETURNING seq)
  SELECT key.id AS key_id, ${columnsOf("changed")}
  FROM key LEFT JOIN changed ON true LEFT JOIN logged ON true`

/**
 * Appends an event. Parameters: $2 space (null for the person's own space), $3 event id, $4 type, $5 data, $6 subject,
 * $7 source, $8 request id, $9 decision.
 */
export const appendEvent = `
  WITH ${key("hub-protocol.write")},
  head AS (
    UPDATE stream_heads
    SET seq = seq + 1
    WHERE space_id = (
      SELECT coalesce($2::uuid, key.person_id)
      FROM key
      WHERE ${mayWrite("coalesce($2::uuid, key.person_id)")})
    RETURNING space_id, seq),
  logged AS (
    INSERT INTO events (space_id, seq, id, type, subject_id, data, user_id, actor_id, credential_id, source,
      correlation_id, request_id, decision)
    SELECT head.space_id, head.seq, $3::uuid, $4, $6::uuid, $5::jsonb, key.person_id, key.user_id, key.id, $7,
      $8::uuid, $8::text, $9::jsonb
    FROM head, key
    RETURNING space_id, seq, at)
  SELECT key.id AS key_id, key.person_id, key.user_id, logged.space_id, logged.seq, logged.at
  FROM key LEFT JOIN logged ON true`

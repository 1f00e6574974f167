/** Rows to measure on: the caller's own, evenly over their spaces, and those of people the caller knows nothing of. */
import type pg from "pg"

export interface Seed {
  readonly rows: number
  /** How many of them are in the caller's spaces. */
  readonly visible: number
  readonly personId: string
  readonly spaceIds: ReadonlyArray<string>
}

const foreignSpaces = 99 // owners of the rows out of reach
const sampled = 500 // ids that reads go round in

const insertEntities = `
  INSERT INTO entities (id, space_id, profile_slug, title, preview, description, properties, user_id, actor_id,
    created_at, updated_at)
  SELECT gen_random_uuid(), spaces.ids[1 + number % cardinality(spaces.ids)],
    (ARRAY['note', 'knowledge', 'person', 'company', 'task'])[1 + number % 5],
    'Record ' || number, 'What listings show of record ' || number,
    repeat('Some words about record ' || number || '. ', 8),
    jsonb_build_object('status', 'open', 'priority', number % 5, 'tags', jsonb_build_array('alpha', 'beta'),
      'contact', 'somebody@example.com'),
    $3::uuid, $3::uuid, now() - number * interval '1 second', now() - number * interval '1 second'
  FROM generate_series(1, $1::int) AS number, (SELECT $2::uuid[] AS ids) AS spaces`

/** Autovacuum never analyses a table of a few rows; the bench meets the plans that follow from it. */
const analyzeAsAutovacuum = async (client: pg.Client): Promise<void> => {
  const { rows: filled } = await client.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND reltuples > current_setting('autovacuum_analyze_threshold')::int`
  )
  for (const { name } of filled) await client.query(`ANALYZE ${name}`)
}

/** Answers ids of entities that the caller may see. */
export const seed = async (
  client: pg.Client,
  { personId, rows, spaceIds, visible }: Seed
): Promise<ReadonlyArray<string>> => {
  await client.query(insertEntities, [visible, spaceIds, personId])
  if (rows > visible) {
    const { rows: made } = await client.query<{ id: string }>(
      `INSERT INTO spaces (id, kind, owner_id, name)
       SELECT gen_random_uuid(), 'workspace', gen_random_uuid(), 'Foreign ' || number
       FROM generate_series(1, $1::int) AS number
       RETURNING id`,
      [foreignSpaces]
    )
    const foreign = made.map(({ id }) => id)
    await client.query(`INSERT INTO stream_heads (space_id) SELECT unnest($1::uuid[])`, [foreign])
    await client.query(insertEntities, [rows - visible, foreign, foreign[0]])
  }
  await client.query("VACUUM")
  await analyzeAsAutovacuum(client)
  const { rows: ids } = await client.query<{ id: string }>(
    "SELECT id FROM entities WHERE space_id = ANY ($1::uuid[]) ORDER BY random() LIMIT $2",
    [spaceIds, sampled]
  )
  return ids.map(({ id }) => id)
}

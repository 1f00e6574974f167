/**
 * Fills a database for a benchmark. The rows that the caller may see are spread evenly over the caller's spaces. The
 * other rows belong to other people.
 */
import type pg from "pg"

/** Runs a statement on the database of either engine. */
export type Ask = (
  text: string,
  values?: ReadonlyArray<unknown>
) => Promise<{ readonly rows: ReadonlyArray<Readonly<Record<string, string>>> }>

/** Makes a function that runs statements on a connection to PostgreSQL. */
export const asking =
  (client: pg.Client): Ask =>
  (text, values = []) =>
    client.query<Record<string, string>>(text, [...values])

export interface Seed {
  readonly rows: number
  /** The number of rows in the caller's spaces. */
  readonly visible: number
  readonly personId: string
  readonly spaceIds: ReadonlyArray<string>
}

// The rows that the caller may not see are in this many spaces.
const foreignSpaces = 99
// The reads of a scenario use this many ids in turn.
const sampled = 500

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

/**
 * Runs ANALYZE only for the tables that autovacuum would analyse. Autovacuum ignores tables with few rows, and this
 * changes the query plans.
 */
export const analyzeAsAutovacuum = async (ask: Ask): Promise<void> => {
  const { rows: filled } = await ask(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND reltuples > current_setting('autovacuum_analyze_threshold')::int`
  )
  for (const { name } of filled) await ask(`ANALYZE ${name}`)
}

/** Fills the database. Returns ids of entities that the caller may see. */
export const seed = async (ask: Ask, { personId, rows, spaceIds, visible }: Seed): Promise<ReadonlyArray<string>> => {
  await ask(insertEntities, [visible, spaceIds, personId])
  if (rows > visible) {
    const { rows: made } = await ask(
      `INSERT INTO spaces (id, kind, owner_id, name)
       SELECT gen_random_uuid(), 'workspace', gen_random_uuid(), 'Foreign ' || number
       FROM generate_series(1, $1::int) AS number
       RETURNING id`,
      [foreignSpaces]
    )
    const foreign = made.map(({ id }) => id)
    await ask(`INSERT INTO stream_heads (space_id) SELECT unnest($1::uuid[])`, [foreign])
    await ask(insertEntities, [rows - visible, foreign, foreign[0]])
  }
  await ask("VACUUM")
  await analyzeAsAutovacuum(ask)
  const { rows: ids } = await ask(
    "SELECT id FROM entities WHERE space_id = ANY ($1::uuid[]) ORDER BY random() LIMIT $2",
    [spaceIds, sampled]
  )
  return ids.map(({ id }) => id)
}

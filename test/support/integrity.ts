/** Checks the rows that a pod has stored, with SQL statements that run as the owner of the database. */

/** Runs one statement and returns its rows, on PGlite or PostgreSQL. */
export type Ask = (text: string) => Promise<ReadonlyArray<Record<string, unknown>>>

/** Rules that the stored rows must follow. Each has a statement that returns the rows that break the rule. */
const laws: Readonly<Record<string, string>> = {
  "the events of a space have the numbers from 1 to the head of the space, without a gap": `
    SELECT head.space_id, head.seq AS head, count(event.seq) AS events, min(event.seq) AS least, max(event.seq) AS most
    FROM stream_heads head LEFT JOIN events event ON event.space_id = head.space_id
    GROUP BY head.space_id, head.seq
    HAVING count(event.seq) <> head.seq
      OR (head.seq > 0 AND (min(event.seq) <> 1 OR max(event.seq) <> head.seq))`,
  "every event belongs to a space with a head": `
    SELECT event.space_id, event.seq
    FROM events event LEFT JOIN stream_heads head ON head.space_id = event.space_id
    WHERE head.space_id IS NULL`,
  "an entity has one event for each of its versions, and the first event is its creation": `
    SELECT entity.id, entity.version, count(event.id) AS events,
      count(event.id) FILTER (WHERE event.type LIKE '%.create') AS creations
    FROM entities entity
    LEFT JOIN events event ON event.subject_id = entity.id AND event.space_id = entity.space_id
    GROUP BY entity.id, entity.version
    HAVING count(event.id) <> entity.version
      OR count(event.id) FILTER (WHERE event.type LIKE '%.create') <> 1`,
  "the entity of every entity event exists": `
    SELECT event.space_id, event.seq, event.subject_id
    FROM events event
    LEFT JOIN entities entity ON entity.id = event.subject_id AND entity.space_id = event.space_id
    WHERE event.type LIKE 'entity.%' AND entity.id IS NULL`,
  "the columns of an entity agree with each other": `
    SELECT id, title, description, properties FROM entities
    WHERE properties ? 'mark' AND (properties ->> 'mark' <> title OR description <> title)`,
  "every event id occurs once": `
    SELECT id FROM events GROUP BY id HAVING count(*) > 1`
}

/** Returns the rules that are broken, each with some of the rows that break it. */
export const brokenLaws = async (ask: Ask): Promise<ReadonlyArray<string>> => {
  const broken: Array<string> = []
  for (const [law, text] of Object.entries(laws)) {
    const rows = await ask(text)
    if (rows.length > 0) broken.push(`${law}: ${rows.length} rows, such as ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return broken
}

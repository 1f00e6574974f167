/**
 * The migration of knowledge entries that are older than the table of versions. Each entry gets a first version, which
 * names the actual last writer of the entry.
 */
import type { PGlite } from "@electric-sql/pglite"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { migrations } from "../../../src/platform/Migrations.ts"
import { anEmpty } from "../../support/pgliteImage.ts"

const [space, person, agent] = [1, 2, 3].map((at) => `01900000-0000-7000-8000-00000000000${at}`)
const entry = (at: number) => `01900000-0000-7000-8001-00000000000${at}`

const written = "0021_knowledge_versions.sql"

describe("the migration that adds versions to existing knowledge entries", () => {
  let database: PGlite
  beforeAll(async () => {
    database = await anEmpty()
    for (const { name, text } of migrations) if (name < written) await database.exec(text)
    for (const [at, key] of ["made", "changed", "claimed", "silent"].entries()) {
      await database.query(
        `INSERT INTO knowledge_entries (space_id, key, id, value, status, user_id, actor_id, author)
         VALUES ($1, $2, $3, '"kept"', 'active', $4, $4, 'somebody')`,
        [space, key, entry(at), person]
      )
    }
    let seq = 0
    const event = (at: number, type: string, actor: string, permission: string) =>
      database.query(
        `INSERT INTO events (space_id, seq, id, type, subject_id, data, user_id, actor_id, source, correlation_id,
           request_id, decision)
         VALUES ($1, $2, gen_random_uuid(), $3, $4, '{}', $5, $6, 'api', gen_random_uuid(), 'r', $7)`,
        [space, ++seq, type, entry(at), person, actor, JSON.stringify({ verdict: "allow", rung: "direct", permission })]
      )
    await event(0, "entity.knowledge.create", person, "entity.knowledge.create")
    await event(1, "entity.knowledge.create", person, "entity.knowledge.create")
    await event(1, "entity.knowledge.update", agent, "entity.knowledge.update")
    await event(2, "entity.knowledge.create", person, "entity.knowledge.create")
    // A client logged this event itself, so it says nothing about the entry.
    await event(2, "entity.knowledge.update", agent, "event.create")
    for (const { name, text } of migrations) if (name >= written) await database.exec(text)
  })
  afterAll(() => database?.close())

  it("the migration that adds versions gives each knowledge entry one version with its value and its last writer, and ignores events that a client logged", async () => {
    const { rows } = await database.query(
      `SELECT entry.key, entry.version, entry.actor_id AS writer, kept.version AS kept, kept.value, kept.actor_id AS actor,
         kept.event_id AS event
       FROM knowledge_entries entry JOIN knowledge_revisions kept ON kept.record_id = entry.id ORDER BY entry.key`
    )
    const first = { version: 1, kept: 1, value: "kept", event: null }
    assert.deepStrictEqual(rows, [
      { ...first, key: "changed", writer: agent, actor: agent },
      { ...first, key: "claimed", writer: person, actor: person },
      { ...first, key: "made", writer: person, actor: person },
      { ...first, key: "silent", writer: person, actor: person }
    ])
  })
})

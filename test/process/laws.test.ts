/** Damages a database in several ways. The checks that the kill tests run must report each kind of damage. */
import type { PGlite } from "@electric-sql/pglite"
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { brokenLaws } from "../support/integrity.ts"
import { anEmbedded } from "../support/pgliteImage.ts"

describe("the check of the rows that a pod writes", () => {
  let lite: PGlite
  const space = uuidv7()
  const entity = uuidv7()
  beforeAll(async () => {
    lite = await anEmbedded()
  })
  afterAll(() => lite.close())
  beforeEach(async () => {
    await lite.exec(`
      DELETE FROM events; DELETE FROM entities; DELETE FROM stream_heads;
      INSERT INTO stream_heads (space_id, seq) VALUES ('${space}', 2);
      INSERT INTO entities (id, space_id, profile_slug, title, description, properties, user_id, actor_id, version)
        VALUES ('${entity}', '${space}', 'note', 'b', 'b', '{"mark": "b"}', '${space}', '${space}', 2)`)
    for (const [seq, type] of ["entity.note.create", "entity.note.update"].entries()) {
      await lite.exec(`
        INSERT INTO events (space_id, seq, id, type, subject_id, user_id, actor_id, source, correlation_id)
          VALUES ('${space}', ${seq + 1}, '${uuidv7()}', '${type}', '${entity}', '${space}', '${space}', 'api', '${uuidv7()}')`)
    }
  })
  const broken = () => brokenLaws((text) => lite.query<Record<string, unknown>>(text).then(({ rows }) => rows))

  const wrongs = {
    "a lost event": "DELETE FROM events WHERE seq = 2",
    "a lost last event, with the head of the space set back to the event before":
      "DELETE FROM events WHERE seq = 2; UPDATE stream_heads SET seq = 1",
    "a skipped event number": "UPDATE events SET seq = 3 WHERE seq = 2; UPDATE stream_heads SET seq = 3",
    "a lost entity": "DELETE FROM entities",
    "a change without an event": "UPDATE entities SET version = 3",
    "an entity with a title that no event contains": "UPDATE entities SET title = 'c'",
    "a missing head row of a space": "DELETE FROM stream_heads"
  }

  it("the check of database rows reports no fault in rows that a pod wrote", async () => {
    assert.deepStrictEqual(await broken(), [])
  })
  for (const [wrong, text] of Object.entries(wrongs)) {
    it(`the check of database rows reports this damage: ${wrong}`, async () => {
      await lite.exec(text)
      assert.isNotEmpty(await broken())
    })
  }
})

/**
 * A migration adds the table for ids that occur in the properties of entities. It also fills the table with the ids
 * from the entities that already exist.
 */
import type { PGlite } from "@electric-sql/pglite"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { migrations } from "../../../src/platform/Migrations.ts"
import { anEmpty } from "../../support/pgliteImage.ts"

const [space, person, target] = [1, 2, 3].map((at) => `01900000-0000-7000-8000-00000000000${at}`)
const entity = (at: number) => `01900000-0000-7000-8001-00000000000${at}`

const written = "0048_entity_references.sql"
const many = Array.from({ length: 1200 }, (_, at) => `01900000-0000-7000-8002-${String(at).padStart(12, "0")}`)

describe("the migration that stores the references of existing entities", () => {
  let database: PGlite
  const referring = async () =>
    (
      await database.query<{ readonly entity_id: string; readonly name: string }>(
        "SELECT entity_id, name FROM entity_references WHERE target_id = $1 ORDER BY entity_id, name",
        [target]
      )
    ).rows.map(({ entity_id, name }) => `${entity_id.at(-1)} ${name}`)
  const add = (at: number, properties: unknown) =>
    database.query(
      `INSERT INTO entities (id, space_id, profile_slug, title, properties, user_id, actor_id)
       VALUES ($1, $2, 'note', 'Note', $3, $4, $4)`,
      [entity(at), space, JSON.stringify(properties), person]
    )
  beforeAll(async () => {
    database = await anEmpty()
    for (const { name, text } of migrations) if (name < written) await database.exec(text)
    await add(1, { about: target, title: `${target} too`, count: 1, none: null })
    await add(2, { links: [target.toUpperCase(), target, 7, { id: target }] })
    await add(3, [target])
    await add(4, { many })
    for (const { name, text } of migrations) if (name >= written) await database.exec(text)
  })
  afterAll(() => database?.close())

  it("the migration that stores the references between entities stores each id from the properties of an entity once, and at most a thousand ids for one entity", async () => {
    assert.deepStrictEqual(await referring(), ["1 about", "2 links"])
    const { rows } = await database.query(
      "SELECT count(*)::integer AS count FROM entity_references WHERE name = 'many'"
    )
    assert.deepStrictEqual(rows, [{ count: 1000 }])
  })

  it("every change and deletion of an entity, even directly in SQL, also updates the stored ids of the records to which the entity refers", async () => {
    await database.query("UPDATE entities SET title = 'Other' WHERE id = $1", [entity(1)])
    await database.query("UPDATE entities SET properties = '{}' WHERE id = $1", [entity(2)])
    await add(5, { owner: target })
    assert.deepStrictEqual(await referring(), ["1 about", "5 owner"])
    await database.query("DELETE FROM entities WHERE id = $1", [entity(5)])
    assert.deepStrictEqual(await referring(), ["1 about"])
  })
})

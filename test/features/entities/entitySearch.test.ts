/**
 * A search in the listing of entities finds the same entities as a simple SQL statement, and parses the searched text
 * once.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import fc from "fast-check"
import { aMember } from "../../support/people.ts"
import { asOwner, onEachDatabase, type SqlStores } from "../../support/stores.ts"
import { listIds } from "./entityCalls.ts"

const words = ["harbour", "crane", "quay", "harbours", "tide", "the"]

/**
 * Adds `count` notes and tasks whose texts are made of `words`. Every seventh record is archived. The same count makes
 * the same texts.
 */
const fill = (spaceId: string, personId: string, count: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      INSERT INTO entities (id, space_id, profile_slug, title, description, user_id, actor_id, updated_at, archived_at)
      SELECT gen_random_uuid(), ${spaceId}::uuid, (ARRAY['note', 'task'])[1 + n % 2],
        'Record ' || (${words}::text[])[1 + n % ${words.length}::integer],
        (SELECT string_agg((${words}::text[])[1 + (n * 31 + k * k * (n % 5 + 1)) % ${words.length}::integer], ' ')
         FROM generate_series(0, n % 9) k),
        ${personId}::uuid, ${personId}::uuid, now() + (n % 4) * interval '1 second',
        CASE WHEN n % 7 = 0 THEN now() END
      FROM generate_series(1, ${count}::integer) n`
  )

/** Runs the same search with one simple SQL statement, with the rights of the owner of the tables. */
const plainly = (spaceId: string, search: string, kind: string | undefined, limit: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly id: string }>`
      SELECT id FROM entities
      WHERE search @@ websearch_to_tsquery('english', ${search}) AND space_id = ${spaceId}::uuid
        AND archived_at IS NULL AND (${kind ?? null}::text IS NULL OR profile_slug = ${kind ?? null}::text)
      ORDER BY ts_rank(search, websearch_to_tsquery('english', ${search}), 1) DESC, updated_at DESC, id DESC
      LIMIT ${limit}`
  ).pipe(Effect.map((rows) => rows.map(({ id }) => id)))

const word = fc.constantFrom(...words, "anchor")
const question = fc
  .array(
    fc.oneof(
      word,
      fc.array(word, { minLength: 2, maxLength: 4 }).map((some) => `"${some.join(" ")}"`),
      word.map((each) => `-${each}`),
      fc.constant("or")
    ),
    { minLength: 1, maxLength: 4 }
  )
  .map((parts) => parts.join(" "))

/** Returns the shortest time that the work takes in three runs, in milliseconds. */
const leastMs = <E, R>(work: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    let least = Infinity
    for (let run = 0; run < 3; run++) {
      const since = performance.now()
      yield* work
      least = Math.min(least, performance.now() - since)
    }
    return least
  })

onEachDatabase("the search of entities", (stores: Layer.Layer<SqlStores>) => {
  const scene = Effect.gen(function* () {
    const [mine, other] = [yield* aMember(), yield* aMember()]
    yield* asOwner(
      Effect.all([fill(mine.spaceId, mine.personId, 1_000), fill(other.spaceId, other.personId, 100)], {
        discard: true
      })
    )
    return mine
  })

  it.effect(
    "an entity search with phrases, alternatives and excluded words finds the same entities as a simple SQL statement, in the same order",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* scene
        const asked = fc.sample(fc.tuple(question, fc.constantFrom(undefined, "task"), fc.constantFrom(5, 100)), 40)
        for (const [search, kind, limit] of asked) {
          const expected = yield* asOwner(plainly(spaceId, search, kind, limit))
          assert.deepStrictEqual(yield* listIds(reach, { search, kind, limit }), expected, search)
        }
      }).pipe(Effect.provide(stores), Effect.orDie)
  )

  it.effect("an entity search parses a long question once, and not once for each entity", () =>
    Effect.gen(function* () {
      const { reach } = yield* scene
      const sql = yield* SqlClient.SqlClient
      // The search compares only the first word, because the other words are function words.
      const long = `record ${"the ".repeat(2_000)}`
      const search = (asked: string) => leastMs(listIds(reach, { search: asked, limit: 5 }))
      const aHundredReadings = leastMs(
        sql`SELECT count(websearch_to_tsquery('english', ${long}::text || n)) FROM generate_series(1, 100) n`
      )
      assert.isBelow(yield* search(long), (yield* search("record")) + (yield* aHundredReadings))
    }).pipe(Effect.provide(stores), Effect.orDie)
  )
})

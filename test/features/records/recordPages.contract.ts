/** The filters, the order and the pages of every store of records. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, TestClock } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import type { Track } from "../../../src/features/tracks/Track.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aPerson, aWorkspaceOf, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import type { Stores } from "../../support/stores.ts"
import {
  addRecord,
  type AnyTrack,
  changeRecord,
  countRecords,
  listIds,
  MadeTracks,
  listRecords,
  Tracks
} from "./recordCalls.ts"

const latestFirst = (one: Track, other: Track) =>
  DateTime.distance(one.updatedAt, other.updatedAt) || (one.id < other.id ? 1 : -1)

export const recordPagesContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a text filter of a record listing selects the readable records whose field contains the text of the filter, at any place but in the same letter case",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const [mentioning] = [
        yield* addRecord(reach, { spaceId, fields: { description: "for @Ada, 100%" } }),
        yield* addRecord(reach, { spaceId, fields: { description: "for nobody" } }),
        yield* addRecord(reach, { spaceId })
      ]
      const containing = (part: string) => ({ containing: { field: "description", part } })
      for (const part of ["@", "@Ada", "100%", "%"]) {
        assert.deepStrictEqual(yield* listIds(reach, containing(part)), [mentioning.id], part)
        assert.strictEqual(yield* countRecords(reach, containing(part)), 1, part)
      }
      assert.deepStrictEqual(yield* listIds(reach, containing("@ada")), [])
      assert.deepStrictEqual(yield* listIds(aReach(), containing("@")), [])
    })
  )

  rule(
    "a filter of a record listing can be a value, `null`, a list of values, ids or a user, and a filter with the value `undefined` selects all records",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const projectId = uuidv7()
      const other = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      const [active, paused, done] = [
        yield* addRecord(reach, { spaceId, fields: { status: "active", projectId } }),
        yield* addRecord(reach, { spaceId, fields: { status: "paused", description: "told" } }),
        yield* addRecord(other, { spaceId, fields: { status: "completed", name: "O'Brien \\" } })
      ]
      const cases: ReadonlyArray<readonly [NonNullable<Parameters<typeof listIds>[1]>["where"], ReadonlyArray<Track>]> =
        [
          [{}, [active, paused, done]],
          [{ status: undefined }, [active, paused, done]],
          [{ status: "active" }, [active]],
          [{ status: ["active", "completed"] }, [active, done]],
          [{ status: [] }, []],
          [{ status: ["none of these"] }, []],
          [{ projectId }, [active]],
          [{ projectId: [projectId, uuidv7()] }, [active]],
          [{ projectId: null }, [paused, done]],
          [{ description: null }, [active, done]],
          [{ description: "told", status: "paused" }, [paused]],
          [{ description: "told", status: "active" }, []],
          [{ name: "O'Brien \\" }, [done]],
          [{ id: [active.id, done.id, uuidv7()] }, [active, done]],
          [{ id: uuidv7() }, []],
          [{ userId: personId }, [active, paused]],
          [{ userId: other.principal.personId, status: "completed" }, [done]]
        ]
      for (const [where = {}, expected] of cases) {
        const ids = expected.map(({ id }) => id)
        assert.sameMembers(yield* listIds(reach, { where }), ids, JSON.stringify(where))
        assert.strictEqual(yield* countRecords(reach, { where }), ids.length, JSON.stringify(where))
      }
    })
  )

  const aShelf = Effect.gen(function* () {
    const { personId, spaceId } = yield* aMember()
    const spaces = [spaceId, yield* aWorkspaceOf(personId)]
    const reach = aReach({ personId, spaces })
    const made: Array<Track> = []
    for (const at of upTo(18)) {
      const space = [...spaces, personId][Math.floor(at / 2) % 3]
      made.push(yield* addRecord(reach, { spaceId: space, fields: { status: at % 2 === 0 ? "active" : "paused" } }))
      if (at % 5 === 0) yield* TestClock.adjust("1 second")
    }
    // In the default order, the record that was changed last comes first. In the order of creation, a change does not
    // move a record.
    for (const { id } of [made[3], made[11]]) yield* changeRecord(reach, id, { name: "changed" })
    return { personId, spaces, reach, made }
  })

  /** Reads all pages one after another, each with the cursor from the page before. */
  const paged = (
    reach: ReachShape,
    asked: Parameters<typeof listRecords>[1],
    limit: number
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, never, Stores> =>
    Effect.flatMap(listRecords(reach, { ...asked, limit }), ({ found: rows, next }) => {
      const ids = rows.map(({ id }) => id)
      return next === undefined
        ? Effect.succeed([ids])
        : Effect.map(paged(reach, { ...asked, cursor: next }, limit), (more) => [ids, ...more])
    })

  for (const type of [Tracks, MadeTracks] as ReadonlyArray<AnyTrack>) {
    rule(
      `the pages of a record listing show every record once, by cursor and by offset, for every caller (sorted by: ${type.order})`,
      Effect.gen(function* () {
        const { personId, spaces, reach, made } = yield* aShelf
        for (const [count, narrow, filter] of [
          [18, reach, {}],
          [12, aReach({ personId, spaces: [spaces[0]] }), {}],
          [9, reach, { where: { status: "active" } }],
          [3, aReach({ personId, spaces: [] }), { where: { status: "paused" } }],
          [2, aReach({ personId, spaces, grant: { entityIds: [made[0].id, made[3].id] } }), {}]
        ] as const) {
          const asked = { ...filter, type }
          const whole = yield* listRecords(narrow, asked)
          const ids = whole.found.map(({ id }) => id)
          assert.lengthOf(new Set(ids), count)
          assert.isUndefined(whole.next)
          const ordered = whole.found.toSorted(
            type.order === "updated" ? latestFirst : (one, two) => (one.id < two.id ? 1 : -1)
          )
          assert.deepStrictEqual(
            ids,
            ordered.map(({ id }) => id)
          )
          for (const limit of [1, 5, count, 100]) {
            const pages = yield* paged(narrow, asked, limit)
            assert.deepStrictEqual(pages.flat(), ids)
            // A full last page has no cursor.
            assert.lengthOf(pages, Math.ceil(count / limit))
          }
          const byOffset = yield* Effect.forEach([0, 5, 10, 15, 20], (offset) =>
            listIds(narrow, { ...asked, limit: 5, offset })
          )
          assert.deepStrictEqual(byOffset.flat(), ids)
        }
      })
    )
  }

  rule(
    "if a record is added or changed between two pages of a record listing, every other record still appears exactly once",
    Effect.gen(function* () {
      const { spaces, reach } = yield* aShelf
      const before = yield* listIds(reach)
      const first = yield* listRecords(reach, { limit: 7 })
      yield* TestClock.adjust("1 second")
      yield* addRecord(reach, { spaceId: spaces[0] })
      yield* changeRecord(reach, first.found[0].id, { name: "first again" })
      const rest = yield* listIds(reach, { cursor: first.next })
      assert.deepStrictEqual([...first.found.map(({ id }) => id), ...rest], before)
    })
  )
}

/** The contract of every store of memory facts: in memory, on PGlite and on PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, Option } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { MemoryStore } from "../../../src/features/memory/MemoryStore.ts"
import type { FactRow, FactWrite } from "../../../src/features/memory/FactWrite.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPerson as aStoredPerson } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"
import { aFactRow, aFactWrite, aRevision, aVector } from "./factRows.ts"
import { itemsOf } from "../../support/pages.ts"

const store = <A, E>(reach: ReachShape, call: (store: typeof MemoryStore.Service) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(MemoryStore, call))

const event = { type: "memory.create", data: {} }
const start = { seq: 0, id: "00000000-0000-0000-0000-000000000000" }

const written = (reach: ReachShape, rows: FactWrite) =>
  Effect.map(
    store(reach, ({ write }) => write("create", rows, event, aPassed)),
    Option.getOrNull
  )

const listed = (reach: ReachShape, more: Partial<Parameters<typeof MemoryStore.Service.list>[0]> = {}) =>
  Effect.map(
    store(reach, ({ list }) => list({ limit: 100, ...more })),
    ({ items }) => items.map(({ id }) => id)
  )

/** Stores a person. Returns the access rights of a session of this person. */
const aPerson = Effect.map(aStoredPerson, (personId) => aReach({ personId }))

const ended = (row: FactRow, reason = "forget"): FactRow => ({ ...row, isNew: false, isEnded: true, endReason: reason })

export const memoryReachContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "in the memory store, a person can neither read, find nor end the facts of another person, and a key with limits can access no fact",
    Effect.gen(function* () {
      const owner = yield* aPerson
      const row = aFactRow()
      const made = aFactWrite([row], { vector: { packed: aVector(3), factIds: [row.id] } })
      assert.lengthOf((yield* written(owner, made)) ?? [], 1)
      const { personId } = owner.principal
      const others = [
        yield* aPerson,
        aReach({ personId, grant: { permissions: ["entity"] } }),
        aReach({ personId, grant: { permissions: ["memory"], entityIds: [row.id] } }),
        aReach({ personId, grant: { permissions: ["memory"], projectIds: [uuidv7()] } }),
        aReach({ personId, grant: { permissions: ["memory"], workspaceIds: [uuidv7()] } }),
        aReach({ personId, workspaceId: uuidv7() })
      ]
      for (const other of others) {
        assert.deepStrictEqual(yield* listed(other), [])
        assert.strictEqual(yield* store(other, ({ count }) => count), 0)
        assert.deepStrictEqual(yield* store(other, ({ byIds }) => byIds([row.id], "read")), [])
        assert.deepStrictEqual(yield* store(other, ({ byIds }) => byIds([row.id], "delete")), [])
        assert.deepStrictEqual(yield* store(other, ({ vectors }) => vectors([row.id])), [])
        const { items } = yield* store(other, ({ history }) => history(row.id, { limit: 10 }))
        assert.deepStrictEqual(items, [])
        const taking = yield* store(other, ({ write }) =>
          write("delete", aFactWrite([ended(row)], { known: 1 }), event, aPassed)
        )
        assert.isTrue(Option.isNone(taking))
      }
      const stranger = others[0]
      assert.deepStrictEqual(yield* store(stranger, ({ since }) => since(start, 10)), [])
      assert.deepStrictEqual(yield* store(stranger, ({ vectorsSince }) => vectorsSince(start, 10)), [])
      assert.deepStrictEqual(yield* store(stranger, ({ findRepeated }) => findRepeated([row.id])), [])
      assert.deepStrictEqual(yield* listed(owner), [row.id])
      assert.strictEqual(yield* store(owner, ({ count }) => count), 1)
    })
  )

  rule(
    "if another person writes a fact with the id of an existing fact, the memory store does not change the existing fact",
    Effect.gen(function* () {
      const [owner, thief] = [yield* aPerson, yield* aPerson]
      const row = aFactRow()
      yield* written(owner, aFactWrite([row]))
      yield* written(thief, aFactWrite([ended(row)]))
      const [kept] = yield* store(owner, ({ byIds }) => byIds([row.id], "read"))
      assert.isNull(kept.validTo)
      assert.deepStrictEqual(yield* listed(thief), [])
    })
  )
}

export const memoryStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "if a write of facts was planned from an outdated state, the memory store writes neither the facts nor an event",
    Effect.gen(function* () {
      const owner = yield* aPerson
      assert.isNotNull(yield* written(owner, aFactWrite()))
      assert.isNull(yield* written(owner, aFactWrite([aFactRow({ fact: "Another one." })])))
      const more = aFactWrite([aFactRow({ fact: "Another one." })], { known: 1 })
      const [fact] = (yield* written(owner, more)) ?? []
      assert.strictEqual(fact.seq, 2)
      const log = yield* EventLog
      assert.lengthOf(yield* itemsOf(withReach(owner)(log.list({ limit: 10, type: "memory.create" }))), 2)
    })
  )

  rule(
    "a write of a fact returns the fact with the written fields, and a read of the fact by its id returns the same fields",
    Effect.gen(function* () {
      const owner = yield* aPerson
      const at = DateTime.unsafeMake("2023-05-08T10:00:00.000Z")
      const row = aFactRow({ level: "turn", sessionId: "s", turn: 2, role: "user", saidAt: at, validFrom: at })
      const [fact] = (yield* written(owner, aFactWrite([row]))) ?? []
      const { endsAt: _end, isEnded: _ended, isNew: _new, validFrom: _since, ...stated } = row
      assert.deepInclude(fact, { ...stated, validFrom: at, validTo: null, userId: owner.principal.personId, seq: 1 })
      assert.deepStrictEqual(yield* store(owner, ({ byIds }) => byIds([row.id], "read")), [fact])
    })
  )

  rule(
    "a listing of facts for a past time contains the facts that were valid at that time, and the current listing contains a restored fact again",
    Effect.gen(function* () {
      const owner = yield* aPerson
      const since = DateTime.unsafeMake("2020-01-01T00:00:00.000Z")
      const row = aFactRow({ validFrom: since })
      yield* written(owner, aFactWrite([row]))
      const [gone] = (yield* written(owner, aFactWrite([ended(row)], { known: 1 }))) ?? []
      assert.isNotNull(gone.validTo)
      assert.deepStrictEqual(yield* listed(owner), [])
      const asOf = DateTime.add(since, { days: 1 })
      const before = DateTime.subtract(since, { days: 1 })
      // The store in memory uses the test clock, which shows 1970. So in memory the fact ends in 1970, before its
      // beginning in 2020, and no listing contains the fact.
      const isWithin = gone.validTo !== null && DateTime.greaterThan(gone.validTo, asOf)
      assert.deepStrictEqual(yield* listed(owner, { asOf }), isWithin ? [row.id] : [])
      assert.deepStrictEqual(yield* listed(owner, { asOf: before }), [])
      const [back] =
        (yield* written(owner, aFactWrite([{ ...row, isNew: false, endReason: null }], { known: 2 }))) ?? []
      assert.isNull(back.validTo)
      assert.deepStrictEqual(yield* listed(owner, { asOf }), [row.id])
    })
  )

  rule(
    "a listing of forgotten facts contains neither valid facts nor facts that another fact replaced",
    Effect.gen(function* () {
      const owner = yield* aPerson
      const [valid, forgotten, replaced] = ["Valid.", "Forgotten.", "Replaced."].map((fact) => aFactRow({ fact }))
      yield* written(owner, aFactWrite([valid, forgotten, replaced]))
      const end = [ended(forgotten), { ...ended(replaced), supersededBy: valid.id }]
      yield* written(owner, aFactWrite(end, { known: 1 }))
      assert.deepStrictEqual(yield* listed(owner, { forgotten: true }), [forgotten.id])
      assert.deepStrictEqual(yield* listed(owner), [valid.id])
      assert.deepStrictEqual(yield* listed(yield* aPerson, { forgotten: true }), [])
      const limited = aReach({ personId: owner.principal.personId, grant: { permissions: ["entity"] } })
      assert.deepStrictEqual(yield* listed(limited, { forgotten: true }), [])
    })
  )

  rule(
    "the pages of a fact listing show each fact once, and a listing can be filtered by the trust, level and session of the facts",
    Effect.gen(function* () {
      const owner = yield* aPerson
      const rows = Array.from({ length: 7 }, (_, at) =>
        aFactRow({
          fact: `Fact ${at}`,
          trust: at % 2 === 0 ? "person" : "agent",
          level: at < 3 ? "fact" : "write",
          sessionId: at === 6 ? "last" : null
        })
      )
      yield* written(owner, aFactWrite(rows.slice(0, 4)))
      yield* written(owner, aFactWrite(rows.slice(4), { known: 1 }))
      const all = yield* listed(owner)
      assert.sameMembers(
        all,
        rows.map(({ id }) => id)
      )
      const first = yield* store(owner, ({ list }) => list({ limit: 3 }))
      const paged = [...first.items]
      let { next } = first
      while (next !== null) {
        const cursor = next
        const page = yield* store(owner, ({ list }) => list({ limit: 3, cursor }))
        paged.push(...page.items)
        next = page.next
      }
      assert.deepStrictEqual(
        paged.map(({ id }) => id),
        all
      )
      assert.deepStrictEqual(yield* listed(owner, { offset: 5 }), all.slice(5))
      assert.lengthOf(yield* listed(owner, { trust: "agent" }), 3)
      assert.lengthOf(yield* listed(owner, { level: "fact", trust: "person" }), 2)
      assert.deepStrictEqual(yield* listed(owner, { sessionId: "last" }), [rows[6].id])
    })
  )

  rule(
    "the memory store returns the facts that were written after a given write number, in the order of the writes",
    Effect.gen(function* () {
      const owner = yield* aPerson
      const rows = [aFactRow({ fact: "One" }), aFactRow({ fact: "Two" }), aFactRow({ fact: "Three" })]
      yield* written(owner, aFactWrite(rows, { vector: { packed: aVector(1), factIds: [rows[0].id] } }))
      yield* written(owner, aFactWrite([ended(rows[0])], { known: 1 }))
      const after = (place: { seq: number; id: string }, limit: number) =>
        store(owner, ({ since }) => since(place, limit))
      const all = yield* after(start, 10)
      assert.deepStrictEqual(
        all.map(({ id, seq }) => [id, seq]),
        [
          [rows[1].id, 1],
          [rows[2].id, 1],
          [rows[0].id, 2]
        ]
      )
      const [first] = yield* after(start, 1)
      assert.deepStrictEqual(yield* after(first, 10), all.slice(1))
      const [vector] = yield* store(owner, ({ vectorsSince }) => vectorsSince(start, 10))
      assert.deepStrictEqual([vector.id, vector.seq, vector.bytes[1], vector.bytes[2]], [rows[0].id, 1, 127, 0])
      assert.strictEqual(vector.scale, aVector(1).scale)
      const [{ floats }] = yield* store(owner, ({ vectors }) => vectors([rows[0].id]))
      assert.deepStrictEqual(floats, aVector(1).floats)
    })
  )

  rule(
    "the history of a fact shows every write of the fact and of its replacements, latest first, in pages and with the source of each write",
    Effect.gen(function* () {
      const owner = yield* aPerson
      const source = uuidv7()
      const first = aFactRow({ sourceEntityId: source })
      const folded = uuidv7()
      yield* written(owner, aFactWrite([first]))
      yield* written(
        owner,
        aFactWrite([{ ...first, isNew: false, count: 2 }], {
          known: 1,
          revisions: [aRevision(first, { what: "fold", fact: "THE HARBOUR OPENS AT NINE", writtenAs: folded })]
        })
      )
      const second = aFactRow({ fact: "The harbour opens at ten.", lineage: first.id })
      yield* written(
        owner,
        aFactWrite([second, ended(first, "update")], {
          known: 2,
          revisions: [aRevision(second), aRevision(first, { what: "end", reason: "update", supersededBy: second.id })]
        })
      )
      const { items, next } = yield* store(owner, ({ history }) => history(first.id, { limit: 10 }))
      assert.isNull(next)
      assert.deepStrictEqual(
        items.map(({ fact, factId, reason, what }) => [what, factId, fact, reason]),
        [
          ["end", first.id, first.fact, "update"],
          ["add", second.id, second.fact, null],
          ["fold", first.id, "THE HARBOUR OPENS AT NINE", null],
          ["add", first.id, first.fact, null]
        ]
      )
      assert.deepStrictEqual([items[0].supersededBy, items[3].sourceEntityId], [second.id, source])
      assert.deepStrictEqual((yield* store(owner, ({ history }) => history(second.id, { limit: 10 }))).items, items)
      const page = yield* store(owner, ({ history }) => history(first.id, { limit: 3 }))
      const cursor = page.next ?? undefined
      const rest = yield* store(owner, ({ history }) => history(first.id, { limit: 3, cursor }))
      assert.deepStrictEqual([...page.items, ...rest.items], items)
      assert.deepStrictEqual(yield* store(owner, ({ findRepeated }) => findRepeated([folded])), [
        { id: first.id, writtenAs: folded }
      ])
    })
  )
}

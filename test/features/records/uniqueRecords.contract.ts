/** The unique fields of every store of records. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer, Option } from "effect"
import { newThread, Thread } from "../../../src/features/conversations/Thread.ts"
import { type ProviderKind, Provider } from "../../../src/features/providers/Provider.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { SetupIssuer } from "../../../src/features/setup/SetupIssuer.ts"
import { isUniqueViolation } from "../../../src/platform/Database.ts"
import { addAnyRecord, anyEvent } from "../../support/anyRecord.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aWorkspaceOf, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

const anIssuer = (issuerUrl: string) => ({ issuerUrl, status: "pending" as const, agentType: null })
const aProvider = (kind: ProviderKind, isActive: boolean) => ({
  name: kind,
  kind,
  url: "https://models.example",
  model: "small",
  credentialId: null,
  isActive
})
const aThread = (externalSource: string | null, externalId: string | null) => ({
  ...newThread,
  externalSource,
  externalId
})

/** Returns true if the write fails because its record has the same unique fields as another record. */
const isRefused = <A, E, R>(write: Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.exit(write),
    (exit) => Exit.isFailure(exit) && Option.exists(Cause.dieOption(exit.cause), isUniqueViolation)
  )

export const uniqueRecordsContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a record cannot be added, changed or restored if another record in its space has the same unique fields, and the attempt writes no event",
    Effect.gen(function* () {
      const { change, remove, restore } = yield* Records
      const { personId, reach, spaceId } = yield* aMember()
      const call = withReach(reach)
      const add = (url: string) => addAnyRecord(reach, SetupIssuer, spaceId, anIssuer(url))
      const first = yield* add("https://one.example")
      const other = yield* add("https://two.example")
      const before = yield* eventsIn(spaceId, personId)
      assert.isTrue(yield* isRefused(add("https://one.example")))
      const same = { issuerUrl: "https://one.example" }
      const write = anyEvent(other.id, "update")
      assert.isTrue(
        yield* isRefused(call(change(SetupIssuer, other.id, { fields: same, expectedVersion: null }, write, aPassed)))
      )
      assert.deepStrictEqual(yield* eventsIn(spaceId, personId), before)
      yield* call(
        change(
          SetupIssuer,
          first.id,
          { fields: { ...same, status: "approved" }, expectedVersion: null },
          write,
          aPassed
        )
      )
      yield* call(remove(SetupIssuer, first.id, null, anyEvent(first.id, "delete"), aPassed))
      const third = yield* add("https://one.example")
      assert.isTrue(yield* isRefused(call(restore(SetupIssuer, first.id, anyEvent(first.id, "restore"), aPassed))))
      yield* call(remove(SetupIssuer, third.id, null, anyEvent(third.id, "delete"), aPassed))
      yield* call(restore(SetupIssuer, first.id, anyEvent(first.id, "restore"), aPassed))
    })
  )

  rule(
    "records in two spaces can have the same unique fields, and a record with `null` in a unique field has no conflict with other records",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const other = yield* aWorkspaceOf(personId)
      const reach = aReach({ personId, spaces: [spaceId, other] })
      const add = (space: string, source: string | null, id: string | null) =>
        addAnyRecord(reach, Thread, space, aThread(source, id))
      yield* add(spaceId, "chat", "1")
      yield* add(other, "chat", "1")
      yield* add(spaceId, "mail", "1")
      const withNulls = [
        [null, null],
        [null, "1"],
        ["chat", null]
      ]
      for (const [source, id] of withNulls) {
        yield* add(spaceId, source, id)
        yield* add(spaceId, source, id)
      }
      assert.isTrue(yield* isRefused(add(spaceId, "chat", "1")))
    })
  )

  rule(
    "in a space, only one model provider of each kind can be active, and any number can be inactive",
    Effect.gen(function* () {
      const { personId, reach } = yield* aMember()
      const add = (kind: ProviderKind, isActive: boolean) =>
        addAnyRecord(reach, Provider, personId, aProvider(kind, isActive))
      yield* add("chat", true)
      yield* add("embedding", true)
      yield* add("chat", false)
      yield* add("chat", false)
      assert.isTrue(yield* isRefused(add("chat", true)))
    })
  )
}

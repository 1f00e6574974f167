/**
 * A write without a `Passed` (the proof that it was allowed) does not compile, and other code cannot construct a
 * `Passed`.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { EntityStore } from "../../../src/features/entities/EntityStore.ts"
import type { EventDraft } from "../../../src/features/events/Event.ts"
import { Passed } from "../../../src/features/gate/Passed.ts"
import type { KeyStore } from "../../../src/features/keys/KeyStore.ts"
import type { RelationStore } from "../../../src/features/relations/RelationStore.ts"
import { aPassed } from "../../support/passed.ts"

/**
 * The compiler checks this function, and nothing calls it. If a line compiled without a `Passed`, the compiler would
 * report that the directive `@ts-expect-error` above this line is unused.
 */
export const withoutTheWord = (
  entities: typeof EntityStore.Service,
  relations: typeof RelationStore.Service,
  keys: typeof KeyStore.Service,
  event: EventDraft
) => [
  // @ts-expect-error a change of an entity needs a `Passed`
  entities.change("id", { title: "unasked" }, event),
  // @ts-expect-error a delete needs a `Passed`
  entities.remove("id", null, event),
  // @ts-expect-error a removal of a relation needs a `Passed`
  relations.remove("id", null, event),
  // @ts-expect-error revoking a key needs a `Passed`
  keys.revoke("id", "because"),
  // @ts-expect-error an object with the same fields is not a `Passed`
  relations.remove("id", null, event, { decision: null, causationId: null, policies: [], origin: "gate" }),
  // @ts-expect-error no other code can construct a `Passed`
  new Passed("gate", null, null, [])
]

describe("the proof that the gate allowed a write", () => {
  it("only an object that the class `Passed` constructed counts as the proof of an allowed write, and a copy of its fields does not count", () => {
    const { decision, causationId, policies, origin } = aPassed
    assert.isTrue(Passed.isPassed(aPassed))
    assert.isFalse(Passed.isPassed({ decision, causationId, policies, origin }))
    assert.isNotOk(Passed.isPassed(Object.create(Passed.prototype)))
  })

  it.effect(
    "the proof for further writes of a request contains no gate decision and has the event of the first write as its cause, and the proof for the next of several similar writes has a new decision id",
    () =>
      Effect.sync(() => {
        const decision = {
          id: "the decision",
          verdict: "allow",
          rung: "person",
          permission: "entity.note.create"
        } as const
        const word = Passed.byGate(decision, [])
        assert.deepInclude(word.forOthers, { decision: null, causationId: decision.id, origin: "gate" })
        assert.strictEqual(word.forOthers.forOthers.causationId, decision.id)
        assert.notStrictEqual(word.forNext.decision?.id, decision.id)
      })
  )
})

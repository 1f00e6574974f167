/** The sixth wall: a write without the gate's word does not compile, and a word cannot be made by hand. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { EntityStore } from "../../../src/features/entities/EntityStore.ts"
import type { EventDraft } from "../../../src/features/events/Event.ts"
import { Passed } from "../../../src/features/gate/Passed.ts"
import type { KeyStore } from "../../../src/features/keys/KeyStore.ts"
import type { RelationStore } from "../../../src/features/relations/RelationStore.ts"
import { aWord } from "../../support/word.ts"

/** Never run: the compiler reads it. Each line would compile again if a store took no word, and the directive would fail. */
export const withoutTheWord = (
  entities: typeof EntityStore.Service,
  relations: typeof RelationStore.Service,
  keys: typeof KeyStore.Service,
  event: EventDraft
) => [
  // @ts-expect-error a change of an entity takes the word
  entities.change("id", { title: "unasked" }, event),
  // @ts-expect-error a delete takes the word
  entities.remove("id", null, event),
  // @ts-expect-error an edge takes the word
  relations.remove("id", null, event),
  // @ts-expect-error ending a key takes the word
  keys.revoke("id", "because"),
  // @ts-expect-error a word is no object that looks like one
  relations.remove("id", null, event, { decision: null, causationId: null, policies: [], origin: "gate" }),
  // @ts-expect-error nobody makes one but its makers
  new Passed("gate", null, null, [])
]

describe("the gate's word", () => {
  it("an object that looks like a word is none", () => {
    const { decision, causationId, policies, origin } = aWord
    assert.isTrue(Passed.isWord(aWord))
    assert.isFalse(Passed.isWord({ decision, causationId, policies, origin }))
    assert.isNotOk(Passed.isWord(Object.create(Passed.prototype)))
  })

  it.effect("what is written besides follows from the event that carries the decision, and carries none itself", () =>
    Effect.sync(() => {
      const decision = {
        id: "the decision",
        verdict: "allow",
        rung: "person",
        permission: "entity.note.create"
      } as const
      const word = Passed.byGate(decision, [])
      assert.deepInclude(word.besides, { decision: null, causationId: decision.id, origin: "gate" })
      assert.strictEqual(word.besides.besides.causationId, decision.id)
      assert.notStrictEqual(word.again.decision?.id, decision.id)
    })
  )
})

/** Laws of the index of facts: what is not visible changes nothing, and the order in which facts came in changes nothing. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, FastCheck } from "effect"
import { FactIndex } from "../../../src/features/memory/FactIndex.ts"
import { sameHash, turnText } from "../../../src/features/memory/FactWords.ts"
import type { KeptFact } from "../../../src/features/memory/MemoryFact.ts"

const moment = (millis: number) => DateTime.unsafeMake(millis)
const now = moment(1_000_000)
const id = (at: number) => `00000000-0000-7000-8000-${at.toString().padStart(12, "0")}`

interface Draft {
  readonly words: ReadonlyArray<string>
  readonly session: number
  readonly from: number
  readonly to: number | null
}

const words = ["harbour", "boat", "tide", "captain", "lighthouse", "storm"]
const aDraft = FastCheck.record({
  words: FastCheck.array(FastCheck.constantFrom(...words), { minLength: 1, maxLength: 5 }),
  session: FastCheck.integer({ min: -1, max: 1 }),
  from: FastCheck.integer({ min: 0, max: 100 }),
  to: FastCheck.option(FastCheck.integer({ min: 0, max: 200 }), { nil: null })
})

/** Drafts as facts; those of one session are its turns, in their order. */
const factsOf = (drafts: ReadonlyArray<Draft>): ReadonlyArray<KeptFact> =>
  drafts.map(({ from, session, to, words: said }, at): KeptFact => {
    const content = said.join(" ")
    const isTurn = session >= 0
    const stated = {
      fact: isTurn ? turnText(`s${session}`, at, "user", content) : content,
      level: isTurn ? ("turn" as const) : ("fact" as const),
      role: isTurn ? "user" : null,
      saidAt: null,
      sessionId: isTurn ? `s${session}` : null,
      target: null,
      turn: isTurn ? at : null
    }
    return {
      ...stated,
      id: id(at),
      lineage: id(at),
      userId: id(999),
      actorId: id(999),
      confidence: 1,
      sourceEntityId: null,
      sourceMessageId: null,
      createdAt: moment(from),
      updatedAt: moment(from),
      trust: "person",
      count: 1,
      validFrom: moment(from),
      validTo: to === null ? null : moment(from + to),
      supersededBy: null,
      endReason: null,
      sameHash: sameHash(stated),
      seq: at + 1
    }
  })

const indexOf = (facts: ReadonlyArray<KeptFact>) => {
  const index = new FactIndex()
  for (const fact of facts) index.put(fact)
  return index
}

const everything = () => true
const question = "the harbour captain in the storm"
const ranked = (index: FactIndex, asOf?: DateTime.Utc, most = 100) =>
  index.rank(question, most, { asOf, now, isWanted: everything })

const drafts = FastCheck.array(aDraft, { maxLength: 30 })
const check = (law: (facts: ReadonlyArray<KeptFact>) => void) =>
  FastCheck.assert(FastCheck.property(drafts, (each) => law(factsOf(each))))

describe("the search index of memory facts", () => {
  it("a search of facts at an earlier time gives the same answer and scores as an index with only the facts that held at that time", () =>
    check((facts) => {
      const asOf = moment(60)
      const held = facts.filter(
        ({ validFrom, validTo }) => validFrom.epochMillis <= 60 && (validTo === null || validTo.epochMillis > 60)
      )
      const mirror = indexOf(held.map((fact) => ({ ...fact, validTo: null })))
      assert.deepStrictEqual(ranked(indexOf(facts), asOf), ranked(mirror))
    }))

  it("a search of facts gives the same answer as an index that never contained the facts that have ended", () =>
    check((facts) => {
      const held = facts.filter(({ validTo }) => validTo === null)
      assert.deepStrictEqual(ranked(indexOf(facts)), ranked(indexOf(held)))
      assert.deepStrictEqual(ranked(indexOf(facts)), ranked(indexOf(held), now))
    }))

  it("a search of facts gives the same answer whatever the order in which the facts were added, and if they are added again", () =>
    check((facts) => {
      const expected = ranked(indexOf(facts))
      assert.deepStrictEqual(ranked(indexOf(facts.toReversed())), expected)
      assert.deepStrictEqual(ranked(indexOf([...facts, ...facts])), expected)
    }))

  it("a search for fewer facts gives the first part of the whole ranking", () =>
    check((facts) => {
      const whole = ranked(indexOf(facts))
      for (const most of [1, 3, 7]) {
        assert.deepStrictEqual(ranked(indexOf(facts), undefined, most), whole.slice(0, most))
      }
    }))

  it("forgetting facts by words selects exactly the current facts whose own text contains all of the words", () =>
    check((facts) => {
      const taken = indexOf(facts).withEveryWord("harbour storm", now)
      const expected = facts.filter(
        ({ fact, validTo }) => validTo === null && fact.includes("harbour") && fact.includes("storm")
      )
      assert.sameMembers(
        taken.map((fact) => fact.id),
        expected.map((fact) => fact.id)
      )
    }))
})

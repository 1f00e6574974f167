/**
 * Rules of the index of facts: its answers do not depend on facts that are not valid, or on the order in which facts
 * are added.
 */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, FastCheck } from "effect"
import { FactIndex } from "../../../src/features/memory/FactIndex.ts"
import { holdsAt } from "../../../src/features/memory/FactTimes.ts"
import { sameHash, turnText } from "../../../src/features/memory/FactWords.ts"
import type { KeptFact } from "../../../src/features/memory/MemoryFact.ts"
import { areNearDuplicates, duplicateKey } from "../../../src/features/memory/NearDuplicates.ts"

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

/** Makes facts from the drafts. The drafts of one session become the turns of this session, in the same order. */
const factsOf = (drafts: ReadonlyArray<Draft>): ReadonlyArray<KeptFact> =>
  drafts.map(({ from, session, to, words }, at): KeptFact => {
    const content = words.join(" ")
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

/**
 * One step of a test of the index. The test adds the next fact, or ends or restores a known fact. Then the test asks
 * the index.
 */
const aChange = FastCheck.record({
  isWrite: FastCheck.boolean(),
  fact: FastCheck.integer({ min: 0, max: 1000 }),
  at: FastCheck.integer({ min: 0, max: 200 })
})

const aSentence = FastCheck.array(
  FastCheck.constantFrom("harbour", "Harbour", "the", "boat", "captain", "12", "not", "Ana", "can't", "café", "it's"),
  { minLength: 1, maxLength: 4 }
).map((some) => some.join(" "))
const aSlip = FastCheck.constantFrom(
  { from: "harbour", to: "harbor" },
  { from: "captain", to: "cpatain" },
  { from: "captain", to: "captaim" },
  { from: "boat", to: "boats" },
  { from: "12", to: "13" },
  { from: "the", to: "" },
  { from: "can't", to: "cannot" }
)

const everything = () => true
const question = "the harbour captain in the storm"
const ranked = (index: FactIndex, asOf?: DateTime.Utc, most = 100) =>
  index.rank(question, most, { asOf, now, isWanted: everything })

const drafts = FastCheck.array(aDraft, { maxLength: 30 })
const check = (law: (facts: ReadonlyArray<KeptFact>) => void) =>
  FastCheck.assert(FastCheck.property(drafts, (each) => law(factsOf(each))))

describe("the index of facts", () => {
  it("for a past time, the fact index gives the same answers and scores as an index that contains only the facts valid at that time", () =>
    check((facts) => {
      const asOf = moment(60)
      const validFacts = facts.filter(
        ({ validFrom, validTo }) => validFrom.epochMillis <= 60 && (validTo === null || validTo.epochMillis > 60)
      )
      const mirror = indexOf(validFacts.map((fact) => ({ ...fact, validTo: null })))
      assert.deepStrictEqual(ranked(indexOf(facts), asOf), ranked(mirror))
    }))

  it("for the present time, the fact index gives the same answers as an index that never contained the ended facts", () =>
    check((facts) => {
      const validFacts = facts.filter(({ validTo }) => validTo === null)
      assert.deepStrictEqual(ranked(indexOf(facts)), ranked(indexOf(validFacts)))
      assert.deepStrictEqual(ranked(indexOf(facts)), ranked(indexOf(validFacts), now))
    }))

  it("the answers of the fact index do not change if facts are added in another order or added twice", () =>
    check((facts) => {
      const expected = ranked(indexOf(facts))
      assert.deepStrictEqual(ranked(indexOf(facts.toReversed())), expected)
      assert.deepStrictEqual(ranked(indexOf([...facts, ...facts])), expected)
    }))

  it("if the same question asks the fact index for fewer facts, the answer contains the first facts of the longer answer in the same order", () =>
    check((facts) => {
      const whole = ranked(indexOf(facts))
      for (const most of [1, 3, 7]) {
        assert.deepStrictEqual(ranked(indexOf(facts), undefined, most), whole.slice(0, most))
      }
    }))

  it("after many writes, the fact index gives the same answers and scores as a new index that is built from the current facts", () =>
    FastCheck.assert(
      FastCheck.property(drafts, FastCheck.array(aChange, { maxLength: 40 }), (each, changes) => {
        // Some facts are recorded with a start in the future, and become valid while the test asks the index.
        const first = factsOf(each).map((fact, at) => (at % 3 === 0 ? { ...fact, createdAt: moment(0) } : fact))
        const facts = [...first]
        const grown = new FactIndex()
        let seq = facts.length
        let taken = 0
        for (const change of changes) {
          const at = facts.length === 0 ? 0 : change.fact % facts.length
          if (change.isWrite && at < taken) {
            const known = facts[at]
            facts[at] = { ...known, validTo: known.validTo === null ? moment(change.at) : null, seq: ++seq }
            grown.put(facts[at])
          } else if (taken < facts.length) grown.put(facts[taken++])
          const present = facts.slice(0, taken)
          const built = indexOf(present.toReversed())
          const time = moment(change.at)
          const asked = (index: FactIndex) =>
            index.rank(question, 100, { asOf: undefined, now: time, isWanted: everything })
          assert.deepStrictEqual(asked(grown), asked(built))
          const mirror = indexOf(
            present
              .filter((fact) => holdsAt(fact, undefined, time))
              .map((fact) => ({ ...fact, createdAt: fact.validFrom }))
          )
          assert.deepStrictEqual(asked(grown), asked(mirror))
          for (const { fact } of present) {
            const same = (index: FactIndex) => index.perhapsSame(fact, 100, everything).map((found) => found.id)
            assert.deepStrictEqual(same(grown), same(built))
          }
        }
      })
    ))

  it("the fact index finds the near duplicate of a text, even if many other facts have as many words in common with the text", () => {
    const others = Array.from({ length: 40 }, (_, at) => `Ana repaired the engine ${at}`)
    const [fact, ...more] = ["Ana repaired the small engine", ...others]
    const written = factsOf(
      [...more, fact].map((sentence) => ({ words: sentence.split(" "), session: -1, from: 0, to: null }))
    )
    const found = indexOf(written).perhapsSame("Ana repaired the smal engine", 5, everything)
    assert.deepStrictEqual(
      found.map((each) => each.fact),
      [fact]
    )
  })

  it("two facts that are near duplicates have the same `duplicateKey`, even with typing errors or sentences in another order", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.array(aSentence, { minLength: 1, maxLength: 3 }), aSlip, (sentences, slip) => {
        const text = `${sentences.join(". ")}.`
        const other = `${sentences.toReversed().join(". ")}.`.replace(slip.from, slip.to)
        if (areNearDuplicates(text, other)) assert.strictEqual(duplicateKey(text), duplicateKey(other))
      })
    ))

  it("a request to forget facts by words selects exactly the valid facts whose own text has all these words", () =>
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

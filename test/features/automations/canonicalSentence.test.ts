/** The conversion of an automation to its canonical sentence and back loses nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import fc from "fast-check"
import { Automation, type Condition, type Step } from "../../../src/features/automations/Automation.ts"
import { compileSentence, sentenceOf } from "../../../src/features/automations/Sentence.ts"

const event = "entity.task.create"

const segment = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/)
const eventType = fc
  .tuple(
    fc.stringMatching(/^[a-zA-Z_-][a-zA-Z0-9_-]{0,10}$/),
    fc.array(fc.oneof(segment, fc.constant("*")), { minLength: 1, maxLength: 3 })
  )
  .map(([first, rest]) => [first, ...rest].join("."))
const upTo = (most: number) => fc.nat({ max: most })
const field = (from: number, to: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant("*") },
    { weight: 3, arbitrary: fc.integer({ min: from, max: to }).map(String) },
    fc.integer({ min: 1, max: to }).map((step) => `*/${step}`),
    fc.uniqueArray(fc.integer({ min: from, max: to }), { minLength: 1, maxLength: 3 }).map((all) => all.join(",")),
    fc.constant(`${from}-${to}`)
  )
const cron = fc.oneof(
  fc
    .tuple(
      upTo(59),
      upTo(23),
      fc.constantFrom("* * *", "1 * *", "1 1 *", "28 * *", "1 */3 *", "* * 1-5", "* * 0,6", "* * 2")
    )
    .map(([minute, hour, rest]) => `${minute} ${hour} ${rest}`),
  fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6)).map((fields) => fields.join(" "))
)
const trigger = fc.oneof(
  eventType.map((type) => ({ kind: "event" as const, eventType: type })),
  cron.map((text) => ({ kind: "schedule" as const, cron: text }))
)
const keyword = fc.constantFrom(
  "and",
  "then",
  "is",
  "not",
  "that",
  "to",
  "where",
  "called",
  "true",
  "5",
  "-1.5",
  '"',
  "\\",
  ",",
  ".",
  "“",
  "”",
  "me",
  "every"
)
const anyValueText = fc.oneof(
  fc.fullUnicodeString({ maxLength: 20 }),
  fc.array(fc.oneof(keyword, fc.stringMatching(/^[a-z]{1,5}$/)), { maxLength: 6 }).map((all) => all.join(" "))
)
const anyText = anyValueText.map((text) => text.trim()).filter((text) => text !== "")
const words = new Set(
  "a an and called contains create equals false greater is its less named not notify or set tell than that the then to true when where".split(
    " "
  )
)
const isName = (text: string) => !words.has(text.toLowerCase()) && text !== "constructor" && text !== "prototype"
const path = fc
  .array(fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,8}$/).filter(isName), { minLength: 1, maxLength: 3 })
  .map((all) => all.join("."))
const number = fc
  .tuple(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom(1, 10, 1000))
  .map(([whole, part]) => whole / part + 0)
const value = fc.oneof(anyValueText, number, fc.boolean())
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ path, op: fc.constantFrom("is" as const, "is_not" as const), value }),
  fc.record({ path, op: fc.constant("contains" as const), value: anyText }),
  fc.record({
    path,
    op: fc.constantFrom("greater_than" as const, "less_than" as const),
    value: fc.oneof(number, fc.constant("2026-01-31T10:00:00Z"))
  })
)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("notify" as const), whom: anyText, text: fc.option(anyText) }),
  fc.record({
    kind: fc.constant("create" as const),
    profileSlug: fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,9}$/).filter(isName),
    title: anyText
  }),
  fc.record({ kind: fc.constant("set" as const), path, value }),
  fc.record({ kind: fc.constant("tell" as const), agent: anyText, text: anyText }),
  fc.record({ kind: fc.constant("post" as const), text: anyText, channel: anyText }),
  fc.record({ kind: fc.constant("call_webhook" as const), webhook: anyText })
)
const automation: fc.Arbitrary<Automation> = fc
  .record({ trigger, conditions: fc.array(condition, { maxLength: 4 }), steps: fc.tuple(step, step, step) })
  .map((one) => (one.trigger.kind === "schedule" ? { ...one, conditions: [] } : one))

describe("the canonical sentence of an automation", () => {
  it.prop(
    "the canonical sentence of an automation compiles back to this automation, whether the sentence is given as clauses or as one text",
    [automation],
    ([one]) => {
      assert.isTrue(Schema.is(Automation)(one))
      const sentence = sentenceOf(one)
      assert.deepStrictEqual(compileSentence(sentence), Either.right(one))
      const { then, when, where } = sentence
      const text = `WHEN ${when}${where === null ? "" : ` WHERE ${where}`} THEN ${then}`
      assert.deepStrictEqual(compileSentence(text), Either.right(one))
      assert.deepStrictEqual(sentenceOf(Either.getOrThrow(compileSentence(sentence))), sentence)
    },
    { fastCheck: { numRuns: 1000 } }
  )

  it("the canonical sentence of an automation describes a schedule in words only if the words have exactly the meaning of the schedule", () => {
    const whenOf = (text: string) =>
      sentenceOf(Either.getOrThrow(compileSentence({ when: `cron ${text}`, then: "notify me" }))).when
    assert.strictEqual(whenOf("5 9 * * 1,4"), "every monday and thursday at 9:05")
    assert.strictEqual(whenOf("*/15 * * * *"), "every 15 minutes")
    assert.strictEqual(whenOf("0 0 * * *"), "every day")
    assert.strictEqual(whenOf("*/1 * * * *"), "cron */1 * * * *")
    assert.strictEqual(whenOf("0 9 1 2 *"), "cron 0 9 1 2 *")
  })

  it.prop(
    "the pod either compiles three random texts as the clauses of an automation, or refuses the texts and names one wrong clause",
    [anyText, anyText, anyText],
    ([when, where, then]) => {
      const result = compileSentence({ when, where, then: `notify ${then}` })
      if (Either.isRight(result)) assert.isTrue(Schema.is(Automation)(result.right))
      else assert.include(["when", "where", "then"], result.left.clause)
    }
  )

  it("an automation sentence that is designed to slow down the compiler is compiled within the time limit", () => {
    const began = performance.now()
    for (const piece of ['"', "\\", '"a" ', "a, then ", " and ", "is ", "“", "a".repeat(50), " "]) {
      const text = piece.repeat(8000 / piece.length)
      compileSentence({ when: event, where: text, then: text })
      compileSentence(`WHEN ${text} THEN ${text}`)
    }
    assert.isBelow(performance.now() - began, 5000)
  })
})

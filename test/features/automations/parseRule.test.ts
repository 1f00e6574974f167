/**
 * How the pod reads rules from free text. It reports what it does not understand, and the result never contains more
 * than the text says.
 */
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import fc from "fast-check"
import { Automation } from "../../../src/features/automations/Automation.ts"
import { parseRule } from "../../../src/features/automations/Parse.ts"
import { compileSentence } from "../../../src/features/automations/Sentence.ts"

describe("texts that describe no automation", () => {
  for (const text of ["My dog is called Rex", "hello", "?!", "Research competitors"]) {
    it(`the text "${text}" contains no trigger, so the pod finds no automation sentence in it and reports no refusal`, () => {
      const { sentence, automation, refused } = parseRule(text)
      assert.deepStrictEqual([sentence, automation, refused], [null, null, null])
    })
  }

  const refused: ReadonlyArray<readonly [string, string]> = [
    ["Whenever a task is created", "then"],
    ["When, notify me", "when"],
    ["Don't notify me when a task is created", "then"],
    ["When a task is created, never notify me", "then"],
    ["Just this once, notify me when a task is created", "then"],
    ["If a task is completed, notify me", "when"],
    ["After 3 days, notify me", "when"],
    ["Every 7 minutes, notify me", "when"],
    ["Every friday, email Bob", "then"],
    ["Notify me every day when a task is created", "when"],
    ["When a task is created and it rains, notify me", "when"],
    ["When a task is created where it rains, notify me", "where"],
    ["Whenever a task is created, set __proto__ to 1", "then"],
    ["When a task is created, notify me about it", "then"]
  ]
  for (const [text, clause] of refused) {
    it(`the pod refuses to compile the text "${text}" because of its ${clause} clause`, () => {
      const answer = parseRule(text)
      assert.isNull(answer.automation)
      assert.strictEqual(answer.refused?.clause, clause)
    })
  }

  it("the answer to a refused automation sentence contains the sentence as the pod read it, so that a person can correct it", () => {
    assert.deepStrictEqual(parseRule("Every friday, email Bob.").sentence, {
      when: "Every friday",
      where: null,
      then: "email Bob"
    })
    assert.isNull(parseRule("Whenever a task is created").sentence)
  })
})

describe("texts that describe an automation", () => {
  const created = "entity.task.create"
  const read: ReadonlyArray<readonly [string, string, string | null, string]> = [
    ["Whenever a task is created, notify me", created, null, "notify me"],
    ["When a task is created notify me", created, null, "notify me"],
    ["when a close call is created notify me", "entity.close-call.create", null, "notify me"],
    ["Please let me know if a task is created.", created, null, "notify me"],
    ["Notify the team when a task is created", created, null, 'notify "the team"'],
    ["As soon as someone creates a task, then alert #ops", created, null, "notify #ops"],
    ["Every monday, notify me that rent is due", "every monday", null, 'notify me that "rent is due"'],
    ["Every monday, tuesday and friday, notify me", "every monday, tuesday and friday", null, "notify me"],
    ["When a task is created, then please notify me", created, null, "notify me"],
    ["Every weekday at 9am: notify me", "every weekday at 9:00", null, "notify me"],
    ["Once a week, notify me", "every monday", null, "notify me"],
    ["Remind me to stretch every 30 minutes", "every 30 minutes", null, "notify me that stretch"],
    [
      "tell me to stretch every monday, tuesday and friday",
      "every monday, tuesday and friday",
      null,
      "notify me that stretch"
    ],
    ["When a task is created and priority is high, notify me", created, "priority is high", "notify me"],
    [
      "Add a task called Call back if a lead is created where value greater than 5",
      "entity.lead.create",
      "value greater than 5",
      "create a task called Call back"
    ],
    ["Notify me when a task is created and state is after", created, "state is after", "notify me"],
    [
      'WHEN entity.task.create WHERE a is "b, c" THEN set d to e, then notify me',
      created,
      'a is "b, c"',
      "set d to e, then notify me"
    ]
  ]
  for (const [text, when, where, then] of read) {
    it(`the pod compiles the text "${text}" to an automation`, () => {
      const { sentence, automation, refused } = parseRule(text)
      assert.isNull(refused)
      assert.deepStrictEqual(sentence, { when, where, then })
      assert.isTrue(Schema.is(Automation)(automation))
    })
  }

  it("the answer to a parsed rule text contains the classification of the text and, as its intent, the text without line breaks and extra spaces", () => {
    const { classification, intent } = parseRule("  Whenever a task\n is created,  notify me ")
    assert.strictEqual(classification.primary, "behaviour")
    assert.strictEqual(intent, "Whenever a task is created, notify me")
    assert.strictEqual(
      parseRule("Whenever a task is created, fly", { capabilities: ["fly"] }).classification.shapes[0].confidence,
      0.75
    )
  })
})

const word = fc.oneof(
  fc.constantFrom(
    "when",
    "whenever",
    "every",
    "monday",
    "a",
    "task",
    "is",
    "created",
    ",",
    "then",
    "notify",
    "me",
    "where"
  ),
  fc.constantFrom(
    "and",
    "set",
    "status",
    "to",
    "once",
    "week",
    '"',
    "please",
    "if",
    "let",
    "know",
    "that",
    ".",
    ":",
    "at",
    "9"
  ),
  fc.fullUnicodeString({ maxLength: 5 })
)
const freeText = fc.array(word, { maxLength: 25 }).map((all) => all.join(" "))

describe("steps of a rule in free words", () => {
  it("a text that asks to post in a channel or to call a webhook is parsed as an automation rule", () => {
    const thenOf = (text: string) => parseRule(text).sentence?.then
    const when = "Whenever a task is created"
    assert.strictEqual(thenOf(`${when}, send "A task is in" to general`), 'post "A task is in" in "general"')
    assert.strictEqual(thenOf(`${when} post "A task is in" in general`), 'post "A task is in" in "general"')
    assert.strictEqual(thenOf(`${when}, please trigger the webhook Bridge`), 'call webhook "Bridge"')
  })
})

describe("what is true of every parsed text", () => {
  it.prop(
    "if the answer to a parsed text contains an automation, it contains no refusal, and the sentence in the answer compiles to this automation",
    [freeText],
    ([text]) => {
      const { sentence, automation, refused } = parseRule(text)
      if (automation === null) {
        assert.strictEqual(sentence !== null && refused === null, false)
        if (sentence !== null) assert.isTrue(Either.isLeft(compileSentence(sentence)))
      } else {
        assert.isNull(refused)
        assert.deepStrictEqual(compileSentence(sentence ?? ""), Either.right(automation))
      }
    },
    { fastCheck: { numRuns: 500 } }
  )

  it("a rule text of 2,000 characters that is designed to slow down the parser is parsed within the time limit", () => {
    const began = performance.now()
    for (const piece of ["when ", "notify ", "when a set ", '"', "please ", ", ", "every monday ", " "]) {
      parseRule(`when ${piece.repeat(1990 / piece.length)}`)
      parseRule(piece.repeat(2000 / piece.length))
    }
    assert.isBelow(performance.now() - began, 5000)
  })
})

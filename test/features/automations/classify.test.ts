/**
 * How the pod classifies a text: texts that contain no rule, texts about which the pod asks a question, examples of
 * each form of a rule, and properties of all texts.
 */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import { Classification, classify, type RuleShape } from "../../../src/features/automations/Classify.ts"
import { cueGroups } from "../../../src/features/automations/Cues.ts"

const shapesOf = (text: string) => classify(text).shapes.map(({ shape }) => shape)
const reasonOf = (text: string) => classify(text).needsClarification?.reason
const of = (text: string, wanted: RuleShape, context = {}) =>
  classify(text, context).shapes.find(({ shape }) => shape === wanted)

describe("texts that contain no automation rule", () => {
  for (const text of ["", "   ", "\n\t"]) {
    it(`the blank text ${JSON.stringify(text)} is classified as unknown because it is empty`, () => {
      const { shapes, primary, oneShot, needsClarification } = classify(text)
      assert.deepStrictEqual(shapes, [{ shape: "unknown", confidence: 0, cues: [] }])
      assert.deepStrictEqual([primary, oneShot, needsClarification?.reason], ["unknown", false, "empty"])
    })
  }

  for (const text of ["hello world", "???", "blue", "create a folder", "日本語だけ"]) {
    it(`the classification of the text ${JSON.stringify(text)} finds no automation rule, and the answer asks the person a question`, () => {
      assert.deepStrictEqual(shapesOf(text), ["unknown"])
      assert.strictEqual(reasonOf(text), "nothing_recognised")
      assert.isFalse(classify(text).oneShot)
    })
  }

  const once: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["Research our competitors", ["Research"]],
    ["Can you summarise this thread?", ["Can you", "summarise"]],
    ["Tell me about Berlin", ["Tell me about"]],
    ["What is on the roadmap?", ["What is"]],
    ["Just this once,  use the blue template", ["Just this once"]],
    ["Use metric units right now", ["right now"]]
  ]
  for (const [text, cues] of once) {
    it(`the classification of the text "${text}" says that the text is a one-time request`, () => {
      assert.deepStrictEqual(classify(text), {
        shapes: [{ shape: "unknown", confidence: 0, cues }],
        primary: "unknown",
        oneShot: true
      })
    })
  }
})

describe("texts whose meaning the pod must ask for", () => {
  const asked: ReadonlyArray<readonly [string, string]> = [
    ["Just this once, notify me when the build is done", "once_or_standing"],
    ["Extract the dates from this file right now", "once_or_standing"],
    ["Whenever a task is done", "trigger_without_action"],
    ["If a customer is unhappy, hmm", "trigger_without_action"],
    ["When I create a task", "trigger_without_action"],
    ["every day at 9:00", "schedule_without_action"],
    ["once a week", "schedule_without_action"]
  ]
  for (const [text, reason] of asked) {
    it(`the classification of the text "${text}" says that the text needs clarification for the reason “${reason}”`, () => {
      const answer = classify(text)
      assert.strictEqual(answer.needsClarification?.reason, reason)
      assert.match(answer.needsClarification?.question ?? "", /\?$/)
      assert.notStrictEqual(answer.primary, "unknown")
      assert.isFalse(answer.oneShot)
    })
  }

  it("a polite word in a rule text, or a verb like “summarise”, does not make the pod ask for clarification", () => {
    assert.isUndefined(reasonOf("Please notify me whenever a task is done"))
    assert.isUndefined(reasonOf("Every Monday, summarise the week"))
  })

  it("if the request names the capabilities of outside services, the pod reads the name of a capability in a rule text as an action", () => {
    assert.strictEqual(reasonOf("Whenever a task is done, quick pick"), "trigger_without_action")
    const context = { capabilities: ["quick-pick"] }
    assert.isUndefined(classify("Whenever a task is done, quick pick", context).needsClarification)
  })
})

const examples: ReadonlyArray<readonly [RuleShape, ReadonlyArray<readonly [string, number, ReadonlyArray<string>]>]> = [
  [
    "behaviour",
    [
      ["Whenever it rains, notify me", 0.6, ["Whenever"]],
      ["When a bug is found, create a task and assign it to Anna", 0.9, ["When a", "create", "assign"]],
      [
        "As soon as the build fails, close, tag, move and archive it",
        0.9,
        ["As soon as", "close", "tag", "move", "archive"]
      ],
      ["every customer gets a folder", 0.4, ["every customer"]]
    ]
  ],
  [
    "schedule",
    [
      ["Send me the numbers every Monday at 9:00", 0.6, ["every Monday at 9:00"]],
      ["Every 15 minutes, sync the list", 0.6, ["Every 15 minutes"]],
      ["Remind me 3 days before the deadline", 0.6, ["3 days before"]],
      ["back up weekly", 0.6, ["weekly"]],
      ["twice a month, clean up", 0.6, ["twice a month"]]
    ]
  ],
  [
    "notification",
    [
      ["Email Anna about it", 0.6, ["Email Anna"]],
      ["Post a summary in #general", 0.6, ["Post a summary in #general"]],
      ["email the report to anna@acme.com", 0.6, ["email the report to anna@acme.com"]],
      ["Let the team know", 0.6, ["Let the team know"]]
    ]
  ],
  [
    "extraction",
    [
      ["Extract the invoice number", 0.6, ["Extract"]],
      ["Parse dates and pull the totals out of receipts", 0.95, ["Parse", "pull the totals out of"]]
    ]
  ],
  [
    "structure",
    [
      ["One folder per customer", 0.6, ["One folder per customer"]],
      ["Leads map to contacts", 0.5, ["map to"]],
      ["Create a contact unless one exists", 0.5, ["unless one exists"]],
      ["Acme GmbH is the same company as Acme", 0.6, ["is the same company as"]],
      ["A lead is a contact", 0.5, ["A lead is a contact"]]
    ]
  ],
  [
    "fact",
    [
      ["The office is located in Berlin", 0.5, ["is located in"]],
      ["Anna works at Acme", 0.4, ["works at"]],
      ["My sister’s birthday is in May", 0.9, ["My sister’s birthday is", "is in"]],
      ["Anna's  phone is broken", 0.5, ["Anna's  phone is"]]
    ]
  ]
]

for (const [shape, table] of examples) {
  describe(`rule texts of the shape ${shape}`, () => {
    for (const [text, confidence, cues] of table) {
      it(`the classification of the text "${text}" finds the rule shape “${shape}” with confidence ${confidence}`, () => {
        assert.deepStrictEqual(of(text, shape), { shape, confidence, cues })
      })
    }
  })
}

describe("rule texts without a shape", () => {
  const not: ReadonlyArray<readonly [string, RuleShape]> = [
    ["When is the meeting?", "behaviour"],
    ["Once a week, notify me", "behaviour"],
    ["If a contact already exists, update it", "behaviour"],
    ["Every Monday, notify me", "behaviour"],
    ["Look at each other", "behaviour"],
    ["an email to the team is a nice thing", "notification"],
    ["They email me", "notification"],
    ["When my build is red, notify us", "fact"],
    ["send the report", "notification"],
    ["the extract is long", "extraction"]
  ]
  for (const [text, shape] of not) {
    it(`the classification of the text "${text}" does not find the rule shape “${shape}”`, () =>
      assert.isUndefined(of(text, shape)))
  }
})

describe("rule texts with several shapes", () => {
  it("the classification of a rule text returns all its shapes, the most certain shape first", () => {
    const text = "When a deal is won, create a task and send the contract to Anna"
    assert.deepStrictEqual(shapesOf(text), ["behaviour", "notification"])
    assert.deepStrictEqual(shapesOf("every customer gets a letter weekly"), ["schedule", "behaviour"])
  })

  it("if rule shapes are equally certain, the classification lists them in the order `structure`, `fact`, `behaviour`, `extraction`, `notification`, `schedule`", () => {
    const text = "weekly. notify me. extract it. whenever possible. one folder per client."
    const order: ReadonlyArray<RuleShape> = ["structure", "behaviour", "extraction", "notification", "schedule"]
    assert.deepStrictEqual(shapesOf(text), order)
    assert.deepStrictEqual(shapesOf("it is located in Berlin. leads map to contacts"), ["structure", "fact"])
  })

  it("for each rule shape, the classification of a long rule text lists at most 50 phrases of the text that point to this shape", () => {
    const text = Array.from({ length: 60 }, (_, at) => `email a${at}@acme.com.`).join(" ")
    const cues = of(text, "notification")?.cues ?? []
    assert.deepStrictEqual([cues.length, cues[0], cues[49]], [50, "email a0@acme.com", "email a49@acme.com"])
  })

  it("the classification of a rule text counts a repeated phrase once", () => {
    assert.strictEqual(of("notify me. Notify  me. notify me", "notification")?.confidence, 0.6)
  })
})

describe("the context of a classification", () => {
  it("if a rule text contains a capability name from the request, the shape `behaviour` is more certain by 0.15, and with a profile name from the request, the shape `structure` is more certain", () => {
    const behaviour = of("Whenever it rains, send email", "behaviour", { capabilities: ["fly", "send_email"] })
    assert.deepStrictEqual(behaviour, { shape: "behaviour", confidence: 0.9, cues: ["Whenever", "send email", "send"] })
    const structure = of("One folder per client, for Bug-Reports", "structure", { profiles: ["bug_report"] })
    assert.deepStrictEqual(structure?.cues, ["One folder per client", "Bug-Reports"])
    assert.strictEqual(structure?.confidence, 0.75)
  })

  it("a capability or profile in the request changes the classification only if the rule text contains its name, and a text with only such names has no rule shape", () => {
    const context = { capabilities: ["fly"], profiles: ["task"] }
    assert.deepStrictEqual(classify("Whenever it rains, notify me", context), classify("Whenever it rains, notify me"))
    assert.deepStrictEqual(classify("fly to the task", context).shapes[0].shape, "unknown")
    assert.deepStrictEqual(classify("Whenever it rains", { capabilities: ["", "--"] }), classify("Whenever it rains"))
  })
})

const phraseWords = cueGroups.flatMap(({ phrases }) => phrases.flatMap((text) => text.split(/[ |]/)))
const word = fc.oneof(
  fc.constantFrom(...phraseWords.filter((text) => /^[a-z]/.test(text))),
  fc.constantFrom("a", "the", "me", "Anna", "task", "15", "days", "#ops", "monday", "is", ","),
  fc.fullUnicodeString({ maxLength: 6 })
)
const examplePieces = examples.flatMap(([, table]) => table.map(([text]) => text))
const anyText = fc
  .array(
    fc.tuple(fc.oneof(word, word, fc.constantFrom(...examplePieces)), fc.constantFrom(" ", "  ", "\n", ", ", ". ")),
    { maxLength: 30 }
  )
  .map((parts) => parts.flat().join(""))
const precedence = ["structure", "fact", "behaviour", "extraction", "notification", "schedule", "unknown"]

describe("what is true of every classification", () => {
  it.prop(
    "the classification of every text is a valid answer, is sorted and stays within its size limits",
    [anyText],
    ([text]) => {
      const answer = classify(text)
      assert.isTrue(Schema.is(Classification)(answer))
      assert.isAbove(answer.shapes.length, 0)
      assert.strictEqual(answer.primary, answer.shapes[0].shape)
      for (const [at, { shape, confidence, cues }] of answer.shapes.entries()) {
        assert.strictEqual(confidence, Math.round(confidence * 100) / 100)
        assert.isTrue(confidence <= 0.95 && confidence >= 0)
        for (const cue of cues) assert.include(text, cue)
        if (shape === "unknown") assert.strictEqual(answer.shapes.length, 1)
        else assert.isTrue(confidence > 0 && cues.length > 0)
        const before = answer.shapes[at - 1]
        if (before === undefined) continue
        const isSorted =
          before.confidence > confidence ||
          (before.confidence === confidence && precedence.indexOf(before.shape) < precedence.indexOf(shape))
        assert.isTrue(isSorted, JSON.stringify(answer.shapes))
      }
      if (answer.oneShot) assert.deepStrictEqual([answer.primary, answer.needsClarification], ["unknown", undefined])
      if (answer.primary === "unknown") assert.isTrue(answer.oneShot || answer.needsClarification !== undefined)
    }
  )

  it.prop("the pod classifies the same text in the same way each time", [anyText], ([text]) => {
    assert.deepStrictEqual(classify(text), classify(text))
  })

  const hostile = [
    "a ",
    "every ",
    "send a to ",
    "email x ",
    "when a ",
    "my ",
    "if a b already ",
    "1 day ",
    "'",
    "a'",
    "@a@"
  ]
  for (const piece of hostile) {
    it(`the pod classifies the text of an automation rule with 100,000 characters of ${JSON.stringify(piece)} within the time limit`, () => {
      const text = piece.repeat(100_000 / piece.length)
      const began = performance.now()
      const answer = classify(text, { capabilities: ["a a a b"], profiles: ["x"] })
      assert.isBelow(performance.now() - began, 5000)
      assert.isAtMost(answer.shapes[0].cues.length, 50)
    })
  }
})

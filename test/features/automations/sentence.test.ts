/**
 * Sentences of rules: which clauses are refused, what the accepted clauses compile to, and which sentence the pod makes
 * from a compiled rule.
 */
import { assert, describe, it } from "@effect/vitest"
import { Cron, Either, Schema } from "effect"
import { type Clause, lengthsMax } from "../../../src/features/automations/Automation.ts"
import { compileSentence, refusalText, SentenceInput } from "../../../src/features/automations/Sentence.ts"

const event = "entity.task.create"
const compiled = (when: string, where: string | null, then: string) =>
  Either.getOrThrow(compileSentence({ when, where, then }))
const triggerOf = (when: string) => compiled(when, null, "notify me").trigger
const conditionsOf = (where: string) => compiled(event, where, "notify me").conditions
const stepsOf = (then: string) => compiled(event, null, then).steps
const refusedIn = (when: string, where: string | null, then: string): unknown =>
  Either.match(compileSentence({ when, where, then }), {
    onLeft: ({ _tag, clause, why }) => ({ _tag, clause, isExplained: why.length > 10 }),
    onRight: (automation) => automation
  })
const refusal = (clause: Clause) => ({ _tag: "ClauseRefused", clause, isExplained: true })

describe("sentences with a WHEN clause that is refused", () => {
  const refused = [
    "",
    "deploy",
    "sometimes",
    "a task is completed",
    "a task could be created",
    "entity..create",
    "entity.task*.create",
    "*.create",
    `entity.${"a".repeat(130)}.create`,
    "every 7 minutes",
    "every 0 minutes",
    "every 60 minutes",
    "every 5 hours",
    "every morning",
    "every day at 25:00",
    "every day at 9:60",
    "every day at 13pm",
    "every blursday",
    "every other day",
    "every 2 weeks",
    "every month on day 31",
    "every month on day 0",
    "cron * * * *",
    "cron 61 * * * *",
    "cron 0 0 * * * *",
    "cron 0 0 30 2 *",
    "cron 0 0 31 4,6 */2",
    "cron */0 * * * *",
    "cron @daily",
    '"entity.task.create',
    "x".repeat(400)
  ]
  for (const when of refused) {
    it(`an automation sentence with the WHEN clause ${JSON.stringify(when.slice(0, 40))} is refused`, () =>
      assert.deepStrictEqual(refusedIn(when, null, "notify me"), refusal("when")))
  }
})

describe("sentences with a WHERE clause that is refused", () => {
  const refused = [
    "status",
    "status done",
    "is done",
    "status is",
    "status is not",
    "due date is today",
    "__proto__ is 1",
    "a.constructor.b is 1",
    "then is 1",
    '"status" is done',
    "status is a or b",
    "status is done, priority is high",
    "name is Tom and Jerry",
    "size greater than many",
    "size is less than",
    'title contains ""',
    'title is "done',
    'title is "done"x',
    `title is ${"x".repeat(501)}`,
    `${"p".repeat(129)} is 1`,
    Array.from({ length: 21 }, (_, at) => `a${at} is 1`).join(" and ")
  ]
  for (const where of refused) {
    it(`an automation sentence with the WHERE clause ${JSON.stringify(where.slice(0, 40))} is refused`, () =>
      assert.deepStrictEqual(refusedIn(event, where, "notify me"), refusal("where")))
  }

  it("an automation sentence with a WHERE clause and a schedule is refused, because a schedule has no field to compare", () => {
    assert.deepStrictEqual(refusedIn("every day", "status is done", "notify me"), refusal("where"))
  })
})

describe("sentences with a THEN clause that is refused", () => {
  const refused = [
    "",
    "email Bob",
    "do not notify me",
    "notify",
    "notify that it is done",
    "notify me that",
    'notify me that ""',
    "notify me every day",
    "notify me, create a task called x",
    "notify me about the task",
    "notify me and create a task called x",
    "create a task",
    "create a called x",
    "create a task called",
    "create a Tâche called x",
    "create a then called x",
    "set status",
    "set status to",
    "set the due date to 5",
    "set __proto__ to 1",
    "set a.prototype to 1",
    "set status to done, tell Bot to go",
    "tell Bot",
    "tell to go",
    "tell Bot to",
    'post "Hello"',
    'post "Hello" in',
    "post in general",
    `post "Hello" in ${"x".repeat(256)}`,
    'call "Bridge"',
    "call webhook",
    "call webhook Bridge in the evening",
    "notify me, then",
    "notify me, then , then notify me",
    'notify me that "it',
    `notify ${"x".repeat(101)}`,
    `notify me that ${"x".repeat(501)}`,
    Array.from({ length: 11 }, () => "notify me").join(", then ")
  ]
  for (const then of refused) {
    it(`an automation sentence with the THEN clause ${JSON.stringify(then.slice(0, 40))} is refused`, () =>
      assert.deepStrictEqual(refusedIn(event, null, then), refusal("then")))
  }
})

describe("sentences that are given as one text", () => {
  const left = (text: string) => Either.flip(compileSentence(text)).pipe(Either.getOrThrow)

  it("an automation sentence without WHEN or THEN is refused, and the answer says which clause is the first wrong clause", () => {
    assert.strictEqual(left("if a task is created THEN notify me").clause, "when")
    assert.strictEqual(left("WHEN a task is created").clause, "then")
    assert.strictEqual(left("WHEN nothing WHERE nothing THEN nothing").clause, "when")
    assert.strictEqual(left("WHEN a task is created WHERE nothing THEN nothing").clause, "where")
    assert.strictEqual(left('WHEN a task is created WHERE title is "x THEN notify me').clause, "then")
    assert.match(refusalText(left("WHEN deploy THEN notify me")), /^The WHEN clause says "deploy", which is neither/)
  })

  it("an automation sentence compiles to the same automation whether it is one text or separate clauses, in any letter case, even if a quoted text contains a keyword", () => {
    const whole = compileSentence(
      'when a task is created where title is "where and then", then notify me, then set a to 1.'
    )
    assert.deepStrictEqual(
      Either.getOrThrow(whole),
      compiled("a task is created", 'title is "where and then"', "notify me, then set a to 1")
    )
  })

  it("the pod removes the spaces around an automation sentence and limits its length, whether the sentence is one text or several clauses", () => {
    const decode = Schema.decodeUnknownEither(SentenceInput)
    for (const input of [
      "",
      "  ",
      "x".repeat(12_501),
      { when: "", then: "x" },
      { when: "x" },
      { when: "x".repeat(lengthsMax.when + 1), then: "x" }
    ]) {
      assert.isTrue(Either.isLeft(decode(input)), JSON.stringify(input).slice(0, 40))
    }
    const padded = { when: " a task is created ", where: " ", then: " notify me\n" }
    assert.deepStrictEqual(decode(padded), Either.right({ when: "a task is created", where: "", then: "notify me" }))
    assert.deepStrictEqual(compileSentence(padded), compileSentence({ when: event, then: "notify me" }))
  })
})

describe("the length of a WHEN clause", () => {
  it("the maximum length of a WHEN clause is the same in a sentence of one text and in separate clauses, and a longer clause is refused", () => {
    const decode = Schema.decodeUnknownEither(SentenceInput)
    const longest = `${event}${".x".repeat(lengthsMax.when)}`.slice(0, lengthsMax.when)
    assert.isTrue(Either.isRight(decode({ when: longest, then: "notify me" })))
    const refused = (when: string) =>
      refusalText(Either.getOrThrow(Either.flip(compileSentence(`WHEN ${when} THEN notify me`))))
    assert.match(refused(longest), /^The WHEN clause says /)
    assert.match(refused(`${longest}x`), /^The WHEN clause is longer than /)
    assert.isTrue(Either.isLeft(decode({ when: `${longest}x`, then: "notify me" })))
  })
})

describe("triggers of a sentence", () => {
  const events: ReadonlyArray<readonly [string, string]> = [
    ["entity.task.create", "entity.task.create"],
    ["entity.*.update", "entity.*.update"],
    ["a task is created", "entity.task.create"],
    ["A new Bug Report is added.", "entity.bug-report.create"],
    ["any note has been changed", "entity.note.update"],
    ["companies are deleted", "entity.company.delete"],
    ["something is removed", "entity.*.delete"],
    ["someone creates a new task", "entity.task.create"],
    ["a workspace is created", "workspace.create"]
  ]
  for (const [when, eventType] of events) {
    it(`an automation sentence with the clause “WHEN ${when}” has the event “${eventType}” as its trigger`, () =>
      assert.deepStrictEqual(triggerOf(when), { kind: "event", eventType }))
  }

  const schedules: ReadonlyArray<readonly [string, string]> = [
    ["every day at 9:00", "0 9 * * *"],
    ["every day", "0 0 * * *"],
    ["Every Monday", "0 0 * * 1"],
    ["mondays at 9 pm", "0 21 * * 1"],
    ["every friday, monday and sunday at 8:05", "5 8 * * 0,1,5"],
    ["every weekday at noon", "0 12 * * 1-5"],
    ["every weekend", "0 0 * * 0,6"],
    ["every 15 minutes", "*/15 * * * *"],
    ["every minute", "* * * * *"],
    ["hourly", "0 * * * *"],
    ["every 6 hours", "0 */6 * * *"],
    ["every morning at 7:30", "30 7 * * *"],
    ["daily at 12am", "0 0 * * *"],
    ["once a week", "0 0 * * 1"],
    ["weekly on thursday at 16:00", "0 16 * * 4"],
    ["every month on the 15th at 10", "0 10 15 * *"],
    ["every 3 months", "0 0 1 */3 *"],
    ["every year", "0 0 1 1 *"],
    ["cron 5 4 * * 0", "5 4 * * 0"],
    ["cron 0 0 29 2 *", "0 0 29 2 *"]
  ]
  for (const [when, cron] of schedules) {
    it(`an automation sentence with the clause “WHEN ${when}” has the schedule “${cron}” as its trigger`, () => {
      assert.deepStrictEqual(triggerOf(when), { kind: "schedule", cron })
      assert.isTrue(Either.isRight(Cron.parse(cron)))
    })
  }
})

describe("conditions and steps of a sentence", () => {
  it("a condition of an automation sentence compares a field with a text, a number or a boolean", () => {
    assert.deepStrictEqual(conditionsOf('the status is "in progress, and more" and address.city isn\'t Berlin'), [
      { path: "status", op: "is", value: "in progress, and more" },
      { path: "address.city", op: "is_not", value: "Berlin" }
    ])
    assert.deepStrictEqual(
      conditionsOf("size is greater than 3.50 and size less than 9 and due less than 2026-01-31"),
      [
        { path: "size", op: "greater_than", value: 3.5 },
        { path: "size", op: "less_than", value: 9 },
        { path: "due", op: "less_than", value: "2026-01-31" }
      ]
    )
    assert.deepStrictEqual(conditionsOf('done is not TRUE and code is "007" and n is 007 and title contains 5'), [
      { path: "done", op: "is_not", value: true },
      { path: "code", op: "is", value: "007" },
      { path: "n", op: "is", value: "007" },
      { path: "title", op: "contains", value: "5" }
    ])
  })

  it("the pod compiles the steps of an automation sentence in their order", () => {
    assert.deepStrictEqual(
      stepsOf(
        'notify the team that "a, then b" is done, then create a Bug Report called Fix it, now, then set status to "5", ' +
          'then set size to -5, then tell Scout to look at 5" pipes, then notify #ops, ' +
          'then post "It is in" in the channel #Releases, then call the webhook "Bridge"'
      ),
      [
        { kind: "notify", whom: "the team", text: '"a, then b" is done' },
        { kind: "create", profileSlug: "bug-report", title: "Fix it, now" },
        { kind: "set", path: "status", value: "5" },
        { kind: "set", path: "size", value: -5 },
        { kind: "tell", agent: "Scout", text: 'look at 5" pipes' },
        { kind: "notify", whom: "#ops", text: null },
        { kind: "post", text: "It is in", channel: "#Releases" },
        { kind: "call_webhook", webhook: "Bridge" }
      ]
    )
  })
})

/** Rules of the inbox and of the home screen that can be tested without a browser. */
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { keysThatEnd, refusalSpike, stepsOf } from "../../src/console/screens/home/homeFacts.ts"
import {
  conflictKey,
  contentOf,
  editedContent,
  fieldsOf,
  resolvedContent
} from "../../src/console/screens/inbox/editing.ts"
import { inboxInput, type InboxSearch, inboxSearchOf } from "../../src/console/screens/inbox/inboxSearch.ts"
import { agoText, idsBetween, idsIn, neighbour, alreadyDecidedText } from "../../src/console/screens/inbox/inboxText.ts"
import { snoozeChoices, snoozesIn } from "../../src/console/screens/inbox/snoozeTimes.ts"
import { duplicateGroups, wordSimilarity, wordsOf } from "../../src/console/screens/memory/duplicates.ts"

const nowMs = Date.parse("2026-11-18T12:00:00Z")
const json = fc.jsonValue({ maxDepth: 2 })

describe("editing a proposal in the inbox", () => {
  it("if a person edits a proposal and changes no field, the edited proposal has exactly its old content", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (content) => {
        const texts = Object.fromEntries(fieldsOf(content).map(({ name, text }) => [name, text]))
        assert.deepStrictEqual(editedContent(content, texts).content, content)
      })
    )
  })

  it("in an edited proposal, the inbox uses the typed value of a text field as text, and reads the typed value of any other field as JSON", () => {
    const content = { title: "1", due: { day: 1 } }
    assert.deepStrictEqual(editedContent(content, { title: "2", due: `{"day":2}` }).content, {
      title: "2",
      due: { day: 2 }
    })
    assert.include(editedContent(content, { due: "{" }).faults?.["due"] ?? "", "not JSON")
  })

  it("if the content of a proposal is not an object, the inbox offers no fields to edit", () => {
    assert.deepStrictEqual(contentOf({ data: { data: [1] } }), {})
  })
})

describe("resolving a conflict in the inbox", () => {
  const conflict = { path: ["properties", "due"], base: "Monday", current: "Tuesday", proposed: "Friday" }
  const content = { title: "Plan", properties: { due: "Friday", place: "Here" } }
  const resolve = (resolution: Parameters<typeof resolvedContent>[2][string], of = conflict) =>
    resolvedContent(content, [of], { [conflictKey(of)]: resolution })

  it("after a person resolves a conflict, the proposal has the value that the person chose, and the proposed value of every other field", () => {
    assert.deepStrictEqual(resolve({ take: "current" }), {
      title: "Plan",
      properties: { due: "Tuesday", place: "Here" }
    })
    assert.deepStrictEqual(resolve({ take: "proposed" }), content)
    assert.deepStrictEqual(resolve({ take: "own", text: "Sunday" }), {
      title: "Plan",
      properties: { due: "Sunday", place: "Here" }
    })
  })

  it("if a person resolves a conflict of a number field by typing a value, the value must be JSON, and the inbox refuses other text", () => {
    const number = { ...conflict, current: 1, proposed: 2 }
    const made = resolve({ take: "own", text: "3" }, number as never)
    assert.deepStrictEqual(made["properties"], { due: 3, place: "Here" })
    assert.throws(() => resolve({ take: "own", text: "three" }, number as never), SyntaxError)
  })
})

describe("the texts of the inbox", () => {
  it("the message about an already decided proposal says who decided, and when", () => {
    const settled = {
      status: "approved" as const,
      decidedBy: "ana",
      decidedAt: "2026-11-18T11:59:50Z"
    }
    assert.strictEqual(
      alreadyDecidedText(settled, () => "Ana", nowMs),
      "Already approved by Ana 10 s ago."
    )
    const expired = { status: "expired" as const, decidedBy: null, decidedAt: null }
    assert.strictEqual(
      alreadyDecidedText(expired, () => "Ana", nowMs),
      "Already expired."
    )
  })

  it("the inbox shows a time ten minutes ago in minutes, and shows a time in the future as 0 seconds ago", () => {
    assert.strictEqual(agoText("2026-11-18T12:00:05Z", nowMs), "0 s ago")
    assert.strictEqual(agoText("2026-11-18T11:50:00Z", nowMs), "10 minutes ago")
  })

  it("the inbox ignores unknown values in the address of its page, and still shows the list of proposals", () => {
    assert.deepStrictEqual(inboxSearchOf({ tab: "no", group: 1, id: 2, look: "x", after: 1, status: [] }), {})
    assert.deepStrictEqual(inboxSearchOf({ tab: "decided", after: "x", id: "a" }), {
      tab: "decided",
      after: "x",
      id: "a"
    })
  })

  it("the selection in the inbox never moves beyond the first or last proposal of the list, and a selected range includes both of its ends", () => {
    const ids = ["a", "b", "c"]
    assert.deepStrictEqual(
      [neighbour(ids, undefined, 1), neighbour(ids, undefined, -1), neighbour(ids, "c", 1), neighbour(ids, "a", -1)],
      ["a", "c", "c", "a"]
    )
    assert.deepStrictEqual(idsBetween(ids, "c", "b"), ["b", "c"])
    assert.deepStrictEqual(idsBetween(ids, "a", "gone"), [])
  })

  it("the inbox finds the ids of records in the content of a proposal at every depth, each id once and without the id of the target record", () => {
    const [one, two] = ["01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8058"]
    assert.deepStrictEqual(idsIn({ a: one, b: [{ c: two }, one], d: "no id" }, two), [one])
  })
})

describe("snoozed proposals", () => {
  it("the inbox no longer hides a snoozed proposal when the end of its snooze is past or is not a valid time", () => {
    const kept = { a: "2026-11-18T12:00:01Z", b: "2026-11-18T11:00:00Z", c: "soon", d: 5 }
    assert.deepStrictEqual(snoozesIn({ snoozedProposals: kept }, nowMs), { a: "2026-11-18T12:00:01Z" })
    assert.deepStrictEqual(snoozesIn({ snoozedProposals: "x" }, nowMs), {})
  })

  it("every choice for how long to snooze a proposal ends in the future, and the choice “Monday” ends on a Monday", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(nowMs), max: new Date(nowMs + 1e11), noInvalidDate: true }), (now) => {
        const choices = snoozeChoices(now)
        assert.isTrue(choices.every(({ until }) => until.getTime() > now.getTime()))
        assert.strictEqual(choices.at(-1)?.until.getDay(), 1)
      })
    )
  })
})

describe("what the home screen counts", () => {
  const key = (expiresAt: string | null, isActive = true) => ({ expiresAt, isActive }) as never
  it("the home screen shows a key as expiring soon if the key is active and expires within two weeks", () => {
    const keys = [
      key("2026-12-03T12:00:00Z"),
      key("2026-12-02T11:59:00Z"),
      key("2026-11-19T12:00:00Z"),
      key("2026-11-17T12:00:00Z"),
      key("2026-11-20T12:00:00Z", false),
      key(null)
    ]
    assert.deepStrictEqual(
      keysThatEnd(keys, nowMs).map(({ expiresAt }) => expiresAt),
      ["2026-11-19T12:00:00Z", "2026-12-02T11:59:00Z"]
    )
  })

  it("the home screen reports a spike of refusals if today has at least ten refusals and at least three times the refusals of a usual day", () => {
    const before = [1, 2, 3, 4, 5, 6, 7].map((number) => ({ day: `2026-11-1${number}`, refusals: 4 }))
    const onDay = (refusals: number) => refusalSpike([...before, { day: "2026-11-18", refusals }], "2026-11-18")
    assert.deepStrictEqual(onDay(12), { now: 12, usual: 4, isSpike: true })
    assert.isFalse(onDay(11).isSpike)
    assert.isFalse(refusalSpike([{ day: "2026-11-18", refusals: 9 }], "2026-11-18").isSpike, "nine are few")
    assert.isTrue(refusalSpike([{ day: "2026-11-18", refusals: 10 }], "2026-11-18").isSpike)
    assert.deepStrictEqual(refusalSpike([], "2026-11-18"), { now: 0, usual: 0, isSpike: false })
  })

  it("each tab of the inbox asks the pod only for the proposals that this tab shows, so that pages and totals are exact", () => {
    const queryOf = (search: InboxSearch, asleep: ReadonlyArray<string> = []) => inboxInput(search, asleep).query
    assert.notProperty(queryOf({}), "exceptIds")
    assert.propertyVal(queryOf({}, ["b", "a"]), "exceptIds", "a,b")
    assert.propertyVal(queryOf({ tab: "snoozed" }, ["b", "a"]), "ids", "a,b")
    assert.propertyVal(queryOf({ tab: "snoozed" }), "ids", "")
    assert.propertyVal(queryOf({ tab: "mine" }, ["a"]), "whose", "mine")
    assert.notProperty(queryOf({ tab: "decided" }, ["a"]), "exceptIds")
  })

  it("the home screen shows the step of connecting a client as done when any key has been used", () => {
    const facts = { keys: [{ lastUsedAt: null, heldByAgent: false }], proposals: 0, hasBackup: false }
    assert.strictEqual(stepsOf(facts).filter(({ isDone }) => isDone).length, 2)
    const used = { ...facts, keys: [{ lastUsedAt: "2026-11-18T12:00:00Z", heldByAgent: false }] }
    assert.strictEqual(
      stepsOf({ ...used, proposals: 1, hasBackup: true }).every(({ isDone }) => isDone),
      true
    )
  })
})

describe("duplicate facts on the memory screen", () => {
  const fact = (id: string, text: string) => ({ id, fact: text })
  it("the similarity of two facts is the same in both directions, and is 1 if the two facts have the same words", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const [a, b] = [wordsOf(one), wordsOf(other)]
        assert.strictEqual(wordSimilarity(a, b), wordSimilarity(b, a))
        if (a.size > 0) assert.strictEqual(wordSimilarity(a, a), 1)
      })
    )
  })

  it("the memory screen puts a fact in at most one group of duplicates, and a fact without a duplicate in no group", () => {
    const groups = duplicateGroups([
      fact("a", "The team meets on Tuesday at ten"),
      fact("b", "Coffee is black"),
      fact("c", "the team meets on tuesday, at TEN!")
    ])
    assert.deepStrictEqual(
      groups.map((group) => group.map(({ id }) => id)),
      [["a", "c"]]
    )
  })
})

/** Tests the summary line and the counts in the digest of a project or workspace. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, FastCheck as fc } from "effect"
import { digestFrom, summaryOf } from "../../../src/features/digest/Digest.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"

const own = uuidv7()
const [one, two] = [uuidv7(), uuidv7()]
const aKeyEntity = (title: string) => ({
  id: uuidv7(),
  title,
  profileSlug: "note",
  workspaceId: one,
  updatedAt: DateTime.unsafeMake(0)
})
const scope = { kind: "project", projectId: uuidv7(), name: "Harbour" } as const

describe("a digest of entities", () => {
  it("a digest shows how many entities each kind has, with the most frequent kind first, and shows the latest entity", () => {
    const counts = [
      { spaceId: one, kind: "task", count: 1 },
      { spaceId: two, kind: "note", count: 2 },
      { spaceId: own, kind: "note", count: 4 }
    ]
    const digest = digestFrom(scope, counts, [aKeyEntity("Berth plan")], new Map([[one, "Acme"]]), own)
    assert.strictEqual(digest.summary, "Harbour: 7 entities (6 notes, 1 task) in 2 workspaces. Latest: “Berth plan”.")
    assert.deepStrictEqual(digest.counts, { note: 6, task: 1 })
    assert.deepStrictEqual(digest.byWorkspace, [
      { workspaceId: null, name: "Pod-wide", total: 4 },
      { workspaceId: two, name: "A workspace", total: 2 },
      { workspaceId: one, name: "Acme", total: 1 }
    ])
  })

  it("if a count in a digest has reached the maximum, the digest shows “10,000+” instead of the exact number", () => {
    const counts = [
      { spaceId: one, kind: "note", count: 10_000 },
      { spaceId: one, kind: "task", count: 9_999 }
    ]
    const { summary } = digestFrom(scope, counts, [], new Map([[one, "Acme"]]), own)
    assert.strictEqual(summary, "Harbour: 10,000+ entities (10,000+ notes, 9999 tasks) in 1 workspace.")
  })

  it("the digest of a workspace does not count the workspace itself as a record", () => {
    const counts = [{ spaceId: one, kind: "note", count: 1 }]
    const { summary } = digestFrom({ kind: "workspace", spaceId: one }, counts, [aKeyEntity("A")], new Map(), own)
    assert.strictEqual(summary, "This workspace: 1 entity (1 note). Latest: “A”.")
  })

  it("if a digest has no entities, its summary line says that there are none", () => {
    const { byWorkspace, keyEntities, summary, total } = digestFrom(scope, [], [], new Map(), own)
    assert.deepStrictEqual([total, byWorkspace, keyEntities], [0, [], []])
    assert.strictEqual(summary, "Harbour: no entities that you may read.")
  })

  it("the summary line of a digest names at most six kinds of entity, and a digest lists at most ten entities", () => {
    const counts = "abcdefgh".split("").map((kind) => ({ spaceId: one, kind, count: 1 }))
    const titles = Array.from({ length: 12 }, (_, at) => aKeyEntity(`${at}`))
    const digest = digestFrom(scope, counts, titles, new Map(), own)
    assert.lengthOf(digest.keyEntities, 10)
    assert.match(digest.summary, /\(1 a, 1 b, 1 c, 1 d, 1 e, 1 f, 2 more kinds\)/)
  })

  const counted = fc.array(
    fc.record({
      spaceId: fc.constantFrom(own, one, two),
      kind: fc.constantFrom("a", "b"),
      count: fc.integer({ min: 1, max: 9 })
    })
  )

  it("the counts of a digest by kind and by workspace add up to the total number of entities, in whatever order the store returns the counts", () => {
    fc.assert(
      fc.property(counted, (counts) => {
        const digest = digestFrom(scope, counts, [], new Map(), own)
        const total = counts.reduce((sum, each) => sum + each.count, 0)
        const sums = [Object.values(digest.counts), digest.byWorkspace.map((each) => each.total)]
        assert.deepStrictEqual(
          sums.map((all) => all.reduce((sum, each) => sum + each, 0)),
          [total, total]
        )
        assert.deepStrictEqual(digestFrom(scope, counts.toReversed(), [], new Map(), own), digest)
        assert.strictEqual(summaryOf(scope, digest), digest.summary)
      })
    )
  })
})

/** What a definition says of a type of relation: labels from either end, and who may stand there. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, FastCheck as fc } from "effect"
import { kindPairs, labelOf, misplacedEnd, type RelationDef } from "../../../src/features/relations/RelationDef.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"

const at = DateTime.unsafeMake(0)
const aDef = (def: Partial<RelationDef> = {}): RelationDef => ({
  id: uuidv7(),
  userId: uuidv7(),
  workspaceId: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
  slug: "employs",
  displayName: "Employs",
  description: null,
  isDirectional: true,
  inverseLabel: "Employed by",
  sourceKinds: ["company"],
  targetKinds: ["person"],
  ...def
})

describe("the label of an edge", () => {
  it("is the inverse one from its target, where the type has a direction and an inverse", () => {
    assert.strictEqual(labelOf("employs", "outgoing", aDef()), "Employs")
    assert.strictEqual(labelOf("employs", "incoming", aDef()), "Employed by")
    assert.strictEqual(labelOf("employs", "incoming", aDef({ inverseLabel: null })), "Employs")
    assert.strictEqual(labelOf("employs", "incoming", aDef({ isDirectional: false })), "Employs")
  })

  it("is the slug in words where nobody defined the type", () => {
    assert.strictEqual(labelOf("works_for-ever", "incoming", undefined), "works for ever")
  })
})

describe("the kinds of a type", () => {
  it("are asked of each end, and any kind fits where none is named", () => {
    assert.isNull(misplacedEnd(aDef(), "company", "person"))
    assert.deepStrictEqual(misplacedEnd(aDef(), "person", "person"), { end: "source", kinds: ["company"] })
    assert.deepStrictEqual(misplacedEnd(aDef(), "company", "note"), { end: "target", kinds: ["person"] })
    assert.isNull(misplacedEnd(aDef({ sourceKinds: [], targetKinds: [] }), "note", "task"))
  })

  const kind = fc.constantFrom("note", "task", "person")
  const kinds = fc.uniqueArray(kind)

  it("without a direction the ends may change places", () => {
    fc.assert(
      fc.property(kinds, kinds, kind, kind, (sourceKinds, targetKinds, one, other) => {
        const def = aDef({ isDirectional: false, sourceKinds, targetKinds })
        return (misplacedEnd(def, one, other) === null) === (misplacedEnd(def, other, one) === null)
      })
    )
  })

  it("the pairs it lists are those it allows", () => {
    fc.assert(
      fc.property(kinds, kinds, kind, kind, (sourceKinds, targetKinds, source, target) => {
        const def = aDef({ sourceKinds, targetKinds })
        const isListed = kindPairs(def).some(
          ({ sourceProfileSlug, targetProfileSlug }) =>
            (sourceProfileSlug === null || sourceProfileSlug === source) &&
            (targetProfileSlug === null || targetProfileSlug === target)
        )
        return isListed === (misplacedEnd(def, source, target) === null)
      })
    )
  })

  it("the pairs of one kind are those it takes part in", () => {
    const def = aDef({ sourceKinds: ["company", "person"], targetKinds: ["person", "note"] })
    assert.lengthOf(kindPairs(def), 4)
    assert.lengthOf(kindPairs(def, "note"), 2)
    assert.lengthOf(kindPairs(def, "task"), 0)
    assert.lengthOf(kindPairs(aDef({ sourceKinds: [] }), "task"), 1)
  })
})

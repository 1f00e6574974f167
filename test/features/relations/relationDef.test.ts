/**
 * What a relation definition says about a relation type: the label that the relation has at each of the two entities,
 * and which kinds of entities the relation can link.
 */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, FastCheck as fc } from "effect"
import { kindPairs, labelOf, endOfWrongKind, type RelationDef } from "../../../src/features/relations/RelationDef.ts"
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

describe("the label of a relation", () => {
  it("the target entity of a relation shows the inverse label of the relation type if this type is directional and has an inverse label", () => {
    assert.strictEqual(labelOf("employs", "outgoing", aDef()), "Employs")
    assert.strictEqual(labelOf("employs", "incoming", aDef()), "Employed by")
    assert.strictEqual(labelOf("employs", "incoming", aDef({ inverseLabel: null })), "Employs")
    assert.strictEqual(labelOf("employs", "incoming", aDef({ isDirectional: false })), "Employs")
  })

  it("if a relation type has no definition, its label is its slug, written as words", () => {
    assert.strictEqual(labelOf("works_for-ever", "incoming", undefined), "works for ever")
  })
})

describe("the kinds that a relation type can link", () => {
  it("both entities of a relation must have a kind that the relation type allows, and a relation type with an empty list allows every kind", () => {
    assert.isNull(endOfWrongKind(aDef(), "company", "person"))
    assert.deepStrictEqual(endOfWrongKind(aDef(), "person", "person"), { end: "source", kinds: ["company"] })
    assert.deepStrictEqual(endOfWrongKind(aDef(), "company", "note"), { end: "target", kinds: ["person"] })
    assert.isNull(endOfWrongKind(aDef({ sourceKinds: [], targetKinds: [] }), "note", "task"))
  })

  const kind = fc.constantFrom("note", "task", "person")
  const kinds = fc.uniqueArray(kind)

  it("an undirected relation type allows its two kinds of entity in either order", () => {
    fc.assert(
      fc.property(kinds, kinds, kind, kind, (sourceKinds, targetKinds, one, other) => {
        const def = aDef({ isDirectional: false, sourceKinds, targetKinds })
        return (endOfWrongKind(def, one, other) === null) === (endOfWrongKind(def, other, one) === null)
      })
    )
  })

  it("the list of kind pairs for a relation type contains exactly the pairs that the type allows", () => {
    fc.assert(
      fc.property(kinds, kinds, kind, kind, (sourceKinds, targetKinds, source, target) => {
        const def = aDef({ sourceKinds, targetKinds })
        const isListed = kindPairs(def).some(
          ({ sourceProfileSlug, targetProfileSlug }) =>
            (sourceProfileSlug === null || sourceProfileSlug === source) &&
            (targetProfileSlug === null || targetProfileSlug === target)
        )
        return isListed === (endOfWrongKind(def, source, target) === null)
      })
    )
  })

  it("the list of kind pairs for one kind of entity contains the pairs with that kind", () => {
    const def = aDef({ sourceKinds: ["company", "person"], targetKinds: ["person", "note"] })
    assert.lengthOf(kindPairs(def), 4)
    assert.lengthOf(kindPairs(def, "note"), 2)
    assert.lengthOf(kindPairs(def, "task"), 0)
    assert.lengthOf(kindPairs(aDef({ sourceKinds: [] }), "task"), 1)
  })
})

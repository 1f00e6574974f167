/**
 * The forms for records send only the fields that the person changed. Each value has the type that the entity's profile
 * defines for the property.
 */
import { assert, describe, it } from "vitest"
import { changeOf, formText, shapeOf } from "../../src/console/screens/explore/formShapes.ts"
import { placesAround, drawingSize } from "../../src/console/screens/explore/graphLayout.ts"
import { markedPieces } from "../../src/console/screens/explore/markedPieces.ts"

const textsOf = (shapes: ReadonlyArray<ReturnType<typeof shapeOf>>, before: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(shapes.map((shape) => [shape.name, formText(shape, before[shape.name])]))

describe("the fields of a record form", () => {
  const shapes = [
    shapeOf("count", "Count", "number"),
    shapeOf("open", "Open", "boolean"),
    shapeOf("goods", "Goods", "multi_select", { options: ["ore", "grain"] }),
    shapeOf("depths", "Depths", "array", { itemType: "number" }),
    shapeOf("extra", "Extra", "json"),
    shapeOf("name", "Name", "text", { isRequired: true })
  ]
  const before = { count: 0, open: false, goods: ["ore"], depths: [1, 2.5], extra: { a: [1] }, name: "n" }

  it("a record form in which the person changed nothing sends no change, whatever the types of the fields", () => {
    assert.deepStrictEqual(changeOf(shapes, textsOf(shapes, before), before), { values: {}, emptied: [], faults: {} })
  })

  it("a record form converts each typed text to the type of its field, and the change that the form sends also contains the emptied fields", () => {
    const texts = {
      ...textsOf(shapes, before),
      count: "7",
      open: "true",
      goods: "ore\ngrain",
      depths: "3\n\n4",
      extra: ""
    }
    assert.deepStrictEqual(changeOf(shapes, texts, before), {
      values: { count: 7, open: true, goods: ["ore", "grain"], depths: [3, 4] },
      emptied: ["extra"],
      faults: {}
    })
  })

  it("a record form reports a text that does not fit the type of its field, and a required field without a value", () => {
    const texts = { ...textsOf(shapes, before), count: "many", depths: "1\nx", extra: "{", name: " " }
    const { faults, values } = changeOf(shapes, texts, before)
    assert.sameMembers(Object.keys(faults), ["count", "depths", "extra", "name"])
    assert.deepStrictEqual(values, {})
  })

  it("if a stored value does not have the type of its property, the record form shows the value as JSON and keeps the value unchanged", () => {
    const odd = { ...before, goods: [{ of: "ore" }], count: { least: 1 } }
    assert.deepStrictEqual(changeOf(shapes, textsOf(shapes, odd), odd).values, {})
    assert.strictEqual(formText(shapes[2] ?? shapeOf("", "", ""), odd.goods).startsWith("["), true)
  })
})

describe("the marks of a snippet", () => {
  const read = (text: string, marks: ReadonlyArray<{ from: number; to: number }>) =>
    markedPieces(text, marks)
      .map(({ isMarked, text: piece }) => (isMarked ? `[${piece}]` : piece))
      .join("")

  it("the parts into which the marks split a search snippet contain each letter exactly once, even if marks overlap or end beyond the text", () => {
    assert.strictEqual(read("rope and chain", [{ from: 0, to: 4 }]), "[rope] and chain")
    assert.strictEqual(
      read("rope and chain", [
        { from: 9, to: 99 },
        { from: 0, to: 4 }
      ]),
      "[rope] and [chain]"
    )
    assert.strictEqual(
      read("rope", [
        { from: 0, to: 3 },
        { from: 1, to: 4 }
      ]),
      "[rop][e]"
    )
    assert.strictEqual(
      read("rope", [
        { from: 7, to: 9 },
        { from: 2, to: 1 }
      ]),
      "rope"
    )
  })
})

describe("the drawing of connections", () => {
  it("in the drawing of the connections of a record, every connected record has a different place", () => {
    for (const count of [0, 1, 10, 24]) {
      const places = placesAround(count)
      assert.lengthOf(new Set(places.map(({ x, y }) => `${x} ${y}`)), count)
      for (const { x, y } of places) {
        assert.isTrue(x > 0 && x < drawingSize.width && y > 0 && y < drawingSize.height - 20)
      }
    }
  })
})

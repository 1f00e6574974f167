/** Required properties and default values, when an entity is created and when it is changed. */
import { assert, describe, it } from "@effect/vitest"
import { type Fields, validateProperties } from "../../../src/features/profiles/PropertyRules.ts"
import { PropertyType } from "../../../src/features/profiles/PropertyValue.ts"
import { aDefinition, messageOf } from "./aDefinition.ts"

describe("required properties and default values", () => {
  const required = { required: true } as const

  it("the pod refuses a new entity if a required property is missing or empty", () => {
    const { faults } = validateProperties([aDefinition(required)], {}, "create")
    assert.deepStrictEqual(faults, [{ path: "properties.field", message: "is required" }])
    for (const blank of [null, undefined, "", "  "]) assert.strictEqual(messageOf(required, blank), "is required")
    assert.strictEqual(messageOf({ ...required, type: "array" }, []), "is required")
  })

  it("a property whose name every JavaScript object inherits, such as `constructor`, counts as missing until the entity has a value for it", () => {
    const { faults } = validateProperties([aDefinition({ ...required, slug: "constructor" })], {}, "create")
    assert.strictEqual(faults.length, 1)
    const filled = validateProperties([aDefinition({ slug: "toString", defaultValue: "a" })], {}, "create")
    assert.deepStrictEqual(Object.entries(filled.properties), [["toString", "a"]])
  })

  it("a change of an entity can omit a required property but cannot clear it", () => {
    assert.deepStrictEqual(validateProperties([aDefinition(required)], { other: 1 }, "update").faults, [])
    for (const blank of [null, undefined, ""]) assert.strictEqual(messageOf(required, blank, "update"), "is required")
  })

  it("`false` and `0` are accepted as values of a required property", () => {
    assert.isNull(messageOf({ ...required, type: "boolean" }, false))
    assert.isNull(messageOf({ ...required, type: "number" }, 0))
  })

  it("a caller may clear an optional property of any type", () => {
    for (const type of PropertyType.literals) {
      assert.isNull(messageOf({ type }, null, "update"), type)
      assert.isNull(messageOf({ type }, null, "create"), type)
    }
  })

  it("a default value replaces a missing property but not an explicit `null`", () => {
    const definitions = [
      aDefinition({ ...required, defaultValue: "a" }),
      aDefinition({ slug: "count", defaultValue: 0 })
    ]
    assert.deepStrictEqual(validateProperties(definitions, {}, "create"), {
      properties: { field: "a", count: 0 },
      faults: [{ path: "properties.count", message: "must be a text" }]
    })
    assert.deepStrictEqual(validateProperties(definitions, { field: "b", count: null }, "create"), {
      properties: { field: "b", count: null },
      faults: []
    })
    assert.deepStrictEqual(validateProperties(definitions, {}, "update"), { properties: {}, faults: [] })
  })

  it("if two property definitions have the same slug, the pod checks a value against both definitions, and uses the first default value", () => {
    const both = [
      aDefinition({ defaultValue: "ab" }),
      aDefinition({ defaultValue: "x", constraints: { minLength: 2 } })
    ]
    assert.deepStrictEqual(validateProperties(both, {}, "create"), { properties: { field: "ab" }, faults: [] })
    assert.strictEqual(validateProperties(both, { field: "a" }, "create").faults.length, 1)
    assert.strictEqual(validateProperties([...both, ...both], { field: 1 }, "create").faults.length, 1)
  })

  it("all text properties with a pattern share one limit for the total length of their texts, and other properties do not count", () => {
    const constraints = { pattern: "^a*$" }
    const patterned = ["a", "b", "c"].map((slug) => aDefinition({ slug, constraints }))
    const long = "a".repeat(4_000)
    const { faults } = validateProperties(
      [...patterned, aDefinition()],
      { a: long, b: long, c: long, field: 1 },
      "create"
    )
    assert.deepStrictEqual(
      faults.map(({ path }) => path),
      ["properties.c", "properties.field"]
    )
    assert.deepStrictEqual(validateProperties(patterned, { a: long, b: long, free: long }, "create").faults, [])
    assert.deepStrictEqual(validateProperties([aDefinition()], { field: long.repeat(9) }, "update").faults, [])
  })

  it("the check of properties leaves a property without a definition unchanged", () => {
    const properties = { free: { as: ["air"] }, __proto__: null, 'odd "name"': 1 }
    assert.strictEqual(validateProperties([], properties, "create").properties, properties)
    assert.deepStrictEqual(validateProperties([aDefinition()], properties, "update").faults, [])
    const own = JSON.parse('{"__proto__":{"polluted":true}}') as Fields
    const { properties: filled } = validateProperties([aDefinition({ defaultValue: "a" })], own, "create")
    assert.deepStrictEqual(Object.keys(filled), ["__proto__", "field"])
    assert.isFalse("polluted" in filled)
  })
})

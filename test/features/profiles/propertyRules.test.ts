/** Tests which property definitions are inconsistent, and how the pod checks properties against their definitions. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import {
  definitionFaults,
  type Fields,
  PropertyTypeInput,
  validateProperties
} from "../../../src/features/profiles/PropertyRules.ts"
import { type PropertyDefinition, PropertyType } from "../../../src/features/profiles/PropertyValue.ts"
import { aDefinition } from "./aDefinition.ts"

const id = "0190b8a0-0000-7000-8000-000000000001"

const pathsOf = ({ constraints = {}, defaultValue, options = [], type = "text" }: Partial<PropertyDefinition>) =>
  definitionFaults(type, constraints, options, defaultValue).map(({ path }) => path)

describe("property definitions", () => {
  const choice = { type: "select", options: ["a", "b"] } as const
  const unsound: ReadonlyArray<readonly [why: string, definition: Partial<PropertyDefinition>, path: string]> = [
    [
      "a constraint for another property type",
      { type: "number", constraints: { minLength: 1 } },
      "constraints.minLength"
    ],
    ["an unknown constraint", { constraints: { maxlength: 1 } }, "constraints.maxlength"],
    [
      "a constraint with the name of a member that every JavaScript object inherits",
      { constraints: { toString: 1 } },
      "constraints.toString"
    ],
    ["a constraint for the type `boolean`", { type: "boolean", constraints: { min: 0 } }, "constraints.min"],
    ["a length below zero", { constraints: { minLength: -1 } }, "constraints.minLength"],
    ["a length that is not a whole number", { constraints: { maxLength: 1.5 } }, "constraints.maxLength"],
    ["a bound that is a text", { type: "number", constraints: { min: "1" } }, "constraints.min"],
    ["an infinite bound", { type: "number", constraints: { max: Infinity } }, "constraints.max"],
    ["a date that does not exist", { type: "date", constraints: { min: "2025-02-29" } }, "constraints.min"],
    ["a minimum value above the maximum", { type: "number", constraints: { min: 2, max: 1 } }, "constraints.min"],
    ["a minimum length above the maximum", { constraints: { minLength: 2, maxLength: 1 } }, "constraints.minLength"],
    [
      "an earliest date after the latest date",
      { type: "date", constraints: { min: "2025-01-02", max: "2025-01-01" } },
      "constraints.min"
    ],
    [
      "a minimum number of items above the maximum",
      { type: "array", constraints: { minItems: 2, maxItems: 1 } },
      "constraints.minItems"
    ],
    ["items of an unknown type", { type: "array", constraints: { itemType: "thing" } }, "constraints.itemType"],
    ["items that are lists", { type: "array", constraints: { itemType: "array" } }, "constraints.itemType"],
    ["the type `select` without options", { type: "select" }, "options"],
    ["the type `multi_select` without options", { type: "multi_select" }, "options"],
    ["a repeated option", { type: "select", options: ["a", "a"] }, "options"],
    ["an empty option", { type: "select", options: ["a", ""] }, "options"],
    ["a repeated option for the items of an array", { type: "array", options: ["a", "a"] }, "options"],
    ["the constraint `options` for a text", { options: ["a"], constraints: { options: ["a"] } }, "constraints.options"],
    ["an invalid pattern", { constraints: { pattern: "(" } }, "constraints.pattern"],
    ["a pattern that is not a text", { constraints: { pattern: 1 } }, "constraints.pattern"],
    ["a pattern with a back reference", { constraints: { pattern: "(a)\\1" } }, "constraints.pattern"],
    ["a default value of another type", { type: "number", defaultValue: "1" }, "defaultValue"],
    [
      "a default value outside the bounds",
      { type: "number", constraints: { max: 1 }, defaultValue: 2 },
      "defaultValue"
    ],
    ["a default value that is not an option", { ...choice, defaultValue: "c" }, "defaultValue"]
  ]
  for (const [why, definition, path] of unsound) {
    it(`a property definition is refused if it has ${why}`, () => {
      assert.deepStrictEqual(pathsOf(definition), [path])
    })
  }

  it("the pod accepts the definition of a required property, of a property with options, and of a property whose default value fits its constraints", () => {
    const sound: ReadonlyArray<Partial<PropertyDefinition>> = [
      { constraints: { minLength: 1, maxLength: 1, pattern: "^(a+)+$", required: true }, defaultValue: "a" },
      { type: "number", constraints: { min: 0, max: 0, integer: true }, defaultValue: 0 },
      { type: "date", constraints: { min: "2025-01-01", max: "2025-01-01T09:00:00Z" } },
      { ...choice, constraints: { options: ["a", "b"], defaultValue: "a" }, defaultValue: "a" },
      { type: "multi_select", options: ["a"], constraints: { minItems: 1, maxItems: 1 }, defaultValue: ["a"] },
      { type: "array", constraints: { itemType: "string", minItems: 0 }, defaultValue: [] },
      { type: "relation", constraints: { targetProfileSlug: "company" } },
      { type: "array", options: ["a"], constraints: { options: ["a"] }, defaultValue: ["a", "a"] },
      { options: ["a suggestion"], defaultValue: "another" },
      { type: "json", defaultValue: { any: ["thing"] } }
    ]
    for (const definition of sound) assert.deepStrictEqual(pathsOf(definition), [], JSON.stringify(definition))
  })

  it("in a request, the property type `string` means the type `text`, and an unknown property type is refused", () => {
    assert.strictEqual(Schema.decodeUnknownSync(PropertyTypeInput)("string"), "text")
    assert.strictEqual(Schema.decodeUnknownSync(PropertyTypeInput)("number"), "number")
    assert.isFalse(Schema.is(PropertyType)("string"))
    assert.throws(() => Schema.decodeUnknownSync(PropertyTypeInput)("integer"))
  })
})

export const slug = fc.constantFrom("a", "b", "c", "d", "constructor")
export const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "x",
    "2025-01-01",
    "a@b.org",
    id,
    "https://example.org",
    "+49 30 1234567",
    true,
    7
  ),
  fc.jsonValue()
)
export const constraints = fc.constantFrom<Fields>(
  {},
  { minLength: 2 },
  { min: 3, max: 5 },
  { pattern: "^x" },
  { itemType: "number" }
)
export const definition: fc.Arbitrary<PropertyDefinition> = fc
  .record({
    slug,
    type: fc.constantFrom(...PropertyType.literals),
    required: fc.boolean(),
    options: fc.constantFrom<ReadonlyArray<string>>([], ["x", "y"]),
    defaultValue: value,
    constraints
  })
  .map(aDefinition)
export const definitions = fc.array(definition, { maxLength: 6 })
export const properties: fc.Arbitrary<Fields> = fc.dictionary(slug, value)
const phase = fc.constantFrom("create" as const, "update" as const)

describe("rules that hold for every check of properties", () => {
  it.prop(
    "checking the same properties a second time does not change them",
    [definitions, properties, phase],
    ([rules, given, when]) => {
      const once = validateProperties(rules, given, when)
      assert.deepStrictEqual(validateProperties(rules, once.properties, when), once)
    }
  )

  it.prop(
    "the check of updated properties neither adds nor changes properties",
    [definitions, properties],
    ([rules, given]) => {
      assert.strictEqual(validateProperties(rules, given, "update").properties, given)
    }
  )

  it.prop(
    "the check of a new entity's properties keeps every value of the request",
    [definitions, properties],
    ([rules, given]) => {
      const { properties: filled } = validateProperties(rules, given, "create")
      for (const [key, was] of Object.entries(given)) assert.strictEqual(filled[key], was)
      for (const key of Object.keys(filled)) {
        assert.isTrue(Object.hasOwn(given, key) || rules.some((one) => one.slug === key && one.defaultValue !== null))
      }
    }
  )

  it.prop(
    "for the properties that an entity has, the check of an update reports the same faults as the check of the new entity",
    [definitions, properties],
    ([rules, given]) => {
      const { faults, properties: filled } = validateProperties(rules, given, "create")
      assert.deepStrictEqual(
        validateProperties(rules, filled, "update").faults,
        faults.filter(({ path }) => Object.keys(filled).some((key) => path === `properties.${key}`))
      )
    }
  )

  it.prop(
    "the check of properties reports faults only for properties that have a definition, and each fault once",
    [definitions, properties, phase],
    (all) => {
      const [rules, given, when] = all
      const { faults } = validateProperties(rules, given, when)
      for (const { path } of faults)
        assert.isTrue(
          rules.some((one) => path === `properties.${one.slug}`),
          path
        )
      assert.strictEqual(new Set(faults.map((fault) => JSON.stringify(fault))).size, faults.length)
    }
  )

  it.prop(
    "a missing optional property causes no fault in a new entity, whatever default value a valid definition gives it",
    [definition],
    ([one]) => {
      fc.pre(definitionFaults(one.type, one.constraints, one.options, one.defaultValue).length === 0)
      assert.deepStrictEqual(validateProperties([{ ...one, required: false }], {}, "create").faults, [])
    }
  )
})

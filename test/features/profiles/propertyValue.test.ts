/** Which values each property type accepts and refuses, and how constraints and options change this. */
import { assert, describe, it } from "@effect/vitest"
import { type PropertyDefinition, valueFault } from "../../../src/features/profiles/PropertyValue.ts"

const id = "0190b8a0-0000-7000-8000-000000000001"

const messageOf = ({ constraints = {}, options = [], type = "text" }: Partial<PropertyDefinition>, value: unknown) =>
  valueFault({ type, constraints, options }, value)

describe("the values of each property type", () => {
  const choice = { type: "select", options: ["a", "b"] } as const
  const several = { type: "multi_select", options: ["a", "b", "c"] } as const
  type Row = readonly [
    definition: Partial<PropertyDefinition>,
    refused: ReadonlyArray<unknown>,
    fine: ReadonlyArray<unknown>
  ]
  const rows: ReadonlyArray<Row> = [
    [{ type: "text" }, [1, true, [], {}], ["", "a", "x".repeat(100_000)]],
    [{ constraints: { minLength: 2, maxLength: 3 } }, ["a", "abcd", "😀"], ["ab", "abc", "😀😀", "😀😀😀"]],
    [{ constraints: { pattern: "^[a-z]+$" } }, ["A", "a b", "a".repeat(10_001)], ["a", "a".repeat(10_000)]],
    [{ constraints: { pattern: "^(a+)+$" } }, [`${"a".repeat(9_000)}!`], ["aaa"]],
    [{ constraints: { pattern: "(" } }, ["a"], []],
    [{ type: "number" }, ["1", Number.NaN, Infinity], [0, -1.5, 1e300]],
    [{ type: "number", constraints: { min: 0, max: 1, integer: true } }, [-1, 2, 0.5], [0, 1]],
    [{ type: "boolean" }, ["true", 0, 1], [true, false]],
    [choice, ["c", 1, ["a"], ""], ["a", "b"]],
    [{ type: "select" }, ["a"], []],
    [several, ["a", ["a", "d"], ["a", "a"], [1]], [["a"], ["b", "a"], []]],
    [{ ...several, constraints: { minItems: 1, maxItems: 2 } }, [[], ["a", "b", "c"]], [["a"]]],
    [{ type: "relation" }, ["x", 1, [id], `${id}0`], [id, id.toUpperCase()]],
    [{ type: "entity_id" }, ["", {}], [id]],
    [{ type: "array" }, ["a", {}], [[], [1, "a", null]]],
    [
      { type: "array", constraints: { itemType: "email", maxItems: 1 } },
      [["x"], ["a@b.org", "c@d.org"]],
      [["a@b.org"]]
    ],
    [{ type: "array", options: ["a", "b"] }, ["a", ["c"], ["a", 1]], [["b", "b"], []]],
    [{ type: "json" }, [], [1, "a", false, [], { a: { b: 1 } }]],
    [
      { type: "date" },
      ["2025-02-29", "2025-13-01", "2025-1-1", "31.12.2025", "2025-01-01T24:00", "2025-01-01 10:00", "tomorrow", 0, ""],
      ["2024-02-29", "2025-01-01T10:00", "2025-01-01T10:00:00.123Z", "2025-01-01T10:00:00+05:30", "0001-01-01"]
    ],
    [
      { type: "date", constraints: { min: "2025-01-02", max: "2025-01-03T12:00:00Z" } },
      ["2025-01-01", "2025-01-02T00:30:00+01:00", "2025-01-03T12:00:01Z", "2025-01-04"],
      ["2025-01-02", "2025-01-02T00:00:00Z", "2025-01-03", "2025-01-03T13:00:00+01:00"]
    ],
    [{ type: "date", constraints: { max: "2025-01-03" } }, ["2025-01-04T00:00:00Z"], ["2025-01-03T23:59:59.999Z"]],
    [
      { type: "url" },
      ["example.org", "ftp://example.org", "javascript:alert(1)", "https://", "https:///x", "https://a b.org"],
      ["https://example.org", "http://localhost:3000/a?b#c", "HTTPS://EXAMPLE.ORG"]
    ],
    [{ type: "url" }, [`https://example.org/${"a".repeat(2048)}`, " https://example.org"], ["https://münchen.de/ä"]],
    [
      { type: "email" },
      [
        "a",
        "@b.org",
        "a@b",
        "a@b..org",
        "a b@c.org",
        "a@b@c.org",
        ".a@b.org",
        "a..b@c.org",
        "Ann <a@b.org>",
        "a@-b.org"
      ],
      ["a@b.org", "A.B+c@sub.example.org", "ü@müller.de"]
    ],
    [{ type: "email" }, [`${"a".repeat(65)}@b.org`, `a@${"b".repeat(64)}.org`, `${"a@".repeat(5_000)}b.org`], []],
    [
      { type: "phone" },
      ["12", "abc", "+", "12345678901234567", "++491511234567", "123 456 x", `+1${" ".repeat(50)}234`],
      ["+49 (0)151 123-456", "030/123456", "555.0100", "+1 555 010 9999 ext. 12", "110"]
    ]
  ]
  for (const [definition, refused, fine] of rows) {
    it(`a property of type ${definition.type ?? "text"} with the constraints ${JSON.stringify(definition.constraints ?? {})} accepts and refuses the expected values`, () => {
      for (const value of refused) {
        assert.isNotNull(messageOf(definition, value), JSON.stringify(value)?.slice(0, 60))
      }
      for (const value of fine) assert.isNull(messageOf(definition, value), JSON.stringify(value).slice(0, 60))
    })
  }

  it("the message about a wrong property value says which values are allowed", () => {
    assert.strictEqual(messageOf({ type: "number", constraints: { min: 3 } }, 2), "must be at least 3")
    assert.strictEqual(messageOf({ constraints: { maxLength: 1 } }, "ab"), "must have at most 1 characters")
    assert.strictEqual(messageOf(choice, "c"), "must be one of a, b")
    assert.strictEqual(messageOf({ ...several }, ["a", "x"]), "item 2 must be one of a, b, c")
    assert.strictEqual(
      messageOf({ type: "array", constraints: { itemType: "number" } }, ["1"]),
      "item 1 must be a number"
    )
    const many = Array.from({ length: 30 }, (_, at) => `o${at}`)
    assert.match(messageOf({ type: "select", options: many }, "c") ?? "", /o19 and 10 more$/)
  })
})

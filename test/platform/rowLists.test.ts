/** The pod's own fast reader of lists must give the same result as the reader of the PostgreSQL driver. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import pg from "pg"
import { parseTexts } from "../../src/platform/RowTypes.ts"

const byDriver = (pg.types.getTypeParser as unknown as (oid: number) => (text: string) => unknown)(1009) // 1009 is the type id of text[]

/**
 * Returns the text in which PostgreSQL sends an element of a list (manual, section 8.15.6: Array Input and Output
 * Syntax).
 */
const sentElement = (element: string | null): string => {
  if (element === null) return "NULL"
  const isPlain = element !== "" && !/[{}",\\\s]/.test(element) && element.toUpperCase() !== "NULL"
  return isPlain ? element : `"${element.replaceAll(/[\\"]/g, String.raw`\$&`)}"`
}

const sent = (elements: ReadonlyArray<string | null>): string => `{${elements.map(sentElement).join(",")}}`

const element = FastCheck.oneof(
  FastCheck.constant(null),
  FastCheck.string(),
  FastCheck.uuid(),
  FastCheck.constantFrom("NULL", "null", "ANNULLED", "a,b", "{", "}", '"', "\\", " ", "", "entities.read")
)

describe("lists in database rows", () => {
  it.prop(
    "the pod reads a list from a database row with the same result as the PostgreSQL driver",
    [FastCheck.array(element, { maxLength: 6 })],
    ([elements]) => {
      assert.deepStrictEqual(parseTexts(sent(elements)), byDriver(sent(elements)))
      assert.deepStrictEqual(parseTexts(sent(elements)), elements)
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it("the pod reads a nested list, and a list with explicit index bounds, with the same result as the PostgreSQL driver", () => {
    for (const text of ["{{a,b},{c,d}}", "[0:1]={a,b}", "[5:5]={entities.read}"]) {
      assert.deepStrictEqual(parseTexts(text), byDriver(text))
    }
  })
})

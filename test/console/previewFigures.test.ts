/** Tests the words with which the preview of a key counts records. */
import { assert, describe, it } from "vitest"
import { countsOf, type Preview } from "../../src/console/screens/keys/previewFigures.ts"

type Counts = ReadonlyArray<Omit<Preview["counts"][number], "workspaceId">>

/** The part of a preview with these counts of records in the personal space, without examples. */
const counting = (...counts: Counts): Parameters<typeof countsOf>[0] => ({
  counts: counts.map((each) => ({ ...each, workspaceId: null })),
  samples: [],
  missed: []
})

const sentences = (preview: ReturnType<typeof counting>, whole: ReturnType<typeof counting>) =>
  countsOf(preview, whole).map(({ count, countedName, of }) => `${count} of ${of} ${countedName}`)

describe("the counts in the preview of a key", () => {
  it("the preview names one record in the singular, and no record or several records in the plural", () => {
    const whole = counting(
      { type: "entity", kind: "note", count: 1 },
      { type: "entity", kind: "company", count: 2 },
      { type: "knowledge_entry", kind: null, count: 1 },
      { type: "memory", kind: null, count: 3 }
    )
    assert.deepStrictEqual(sentences(counting({ type: "entity", kind: "note", count: 1 }), whole), [
      "1 of 1 note",
      "0 of 3 memory facts",
      "0 of 2 companies",
      "0 of 1 knowledge entry"
    ])
  })

  it("the preview calls an entity of the kind `knowledge` a knowledge record, so that nobody takes it for a knowledge entry", () => {
    const whole = counting(
      { type: "entity", kind: "knowledge", count: 2 },
      { type: "knowledge_entry", kind: null, count: 2 }
    )
    assert.deepStrictEqual(sentences(whole, whole).toSorted(), ["2 of 2 knowledge entries", "2 of 2 knowledge records"])
  })
})

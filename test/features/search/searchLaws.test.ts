/**
 * Rules of search: hidden rows change no answer, a filter selects exactly the matching rows, and an index depends only
 * on the current rows.
 */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import type { Source } from "../../../src/features/search/Source.ts"
import { analyse } from "../../../src/features/search/text/Analyser.ts"
import { isLong } from "../../support/storages.ts"
import { callerId, type KeptSources, keptSources, spaceId } from "./keptSources.ts"
import { aSource } from "./postings/corpus.ts"

const numRuns = isLong ? 60 : 12
const words = "harbour crane quay rusty lighthouse schooner anchor customer tide wind wave harbor".split(" ")
const word = fc.constantFrom(...words)
const sentence = (most: number) => fc.array(word, { maxLength: most }).map((some) => some.join(" "))
const idOf = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`
const day = 86_400_000

const otherId = "01900000-0000-7000-8000-00000000000b"

const source = (id: number): fc.Arbitrary<Source> =>
  fc
    .record({
      isEntity: fc.boolean(),
      kind: fc.constantFrom("note", "task"),
      title: sentence(4),
      // Some texts are long enough for several passages.
      text: fc.tuple(sentence(30), fc.constantFrom(1, 1, 1, 60)).map(([text, times]) => `${text}. `.repeat(times)),
      facets: fc.subarray(["customer", "supplier"]),
      makerId: fc.constantFrom(callerId, otherId),
      updatedAt: fc.integer({ min: 0, max: 9 }).map((days) => Date.UTC(2024, 0, 1) + days * day)
    })
    .map(({ isEntity, kind, facets, ...rest }) =>
      aSource({
        ...rest,
        id: idOf(id),
        spaceId,
        ...(isEntity ? { type: "entity", kind, facets } : { type: "document" })
      })
    )

const rows = fc
  .integer({ min: 1, max: 12 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => source(at))))
const query = fc.oneof(
  sentence(9).filter((text) => text !== ""),
  fc.constantFrom(
    "lighthose crane",
    '"rusty crane"',
    "crane -rusty",
    "type:note crane",
    "custmer wind",
    "anchr tide wave"
  )
)

const over = (all: Iterable<Source>, options: Parameters<typeof keptSources>[0] = {}): KeptSources => {
  const kept = keptSources(options)
  for (const each of all) kept.put(each)
  return kept
}

/** An embedding model. The vectors of two texts are near each other if their words begin with the same letters. */
const vectorOf = (text: string): ReadonlyArray<number> => {
  const counts = Array.from({ length: 26 }, () => 0.01)
  for (const each of text.toLowerCase().match(/[a-z]+/g) ?? []) counts[each.charCodeAt(0) - 97]++
  return counts
}

describe("rows that the caller may not read do not change a search", () => {
  const filtered = fc.oneof(
    query,
    fc.constantFrom("by:me crane", `by:${otherId} wind`, "-by:me tide wave", "-type:note crane", "-type:customer anchr")
  )
  const isHidden = (id: string) => Number(id.slice(-2)) % 2 === 1
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 9 }).chain((id) => source(id).map((put) => ({ put }))) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 9 }).map((id) => ({ remove: idOf(id) })) },
    { weight: 1, arbitrary: fc.constant({ churn: true as const }) },
    { weight: 1, arbitrary: query.map((search) => ({ search })) }
  )

  const readers = [
    { name: "a caller who may read all facets", readsFacets: true },
    { name: "a caller who may read no facets", readsFacets: false },
    { name: "a caller of a pod with an embedding model", readsFacets: true, vectorOf }
  ]
  for (const { name, ...reader } of readers) {
    it(`for ${name}, a change of rows that this caller may not read does not change the answer to a search`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 25 }),
          fc.array(filtered, { minLength: 1 }),
          async (steps, queries) => {
            const mixed = keptSources({ isVisible: (id) => !isHidden(id), ...reader })
            const alone = keptSources(reader)
            for (const each of steps) {
              if ("put" in each) {
                mixed.put(each.put)
                if (!isHidden(each.put.id)) alone.put(each.put)
              } else if ("remove" in each) {
                mixed.remove(each.remove)
                if (!isHidden(each.remove)) alone.remove(each.remove)
              } else if ("churn" in each) {
                await churned(mixed)
              } else {
                // This search builds the index now, so the next searches read only later events.
                await mixed.find(each.search)
              }
            }
            for (const each of queries) assert.deepStrictEqual(await mixed.find(each), await alone.find(each), each)
          }
        ),
        { numRuns }
      ))
  }

  it("if a caller may not read facets, the names of the facets do not change the caller's search answers", () =>
    fc.assert(
      fc.asyncProperty(rows, query, async (all, asked) => {
        const withoutFacets = all.map((each) => ({ ...each, facets: [] }))
        const [found, expected] = [
          await over(all, { readsFacets: false }).find(asked),
          await over(withoutFacets, { readsFacets: false }).find(asked)
        ]
        assert.deepStrictEqual(found, expected)
      }),
      { numRuns }
    ))

  /** Removes so many hidden passages that the index is compacted. */
  const churned = async (kept: KeptSources) => {
    // The text has more than a thousand passages without a word.
    kept.put(aSource({ id: idOf(11), spaceId, text: "\n".repeat(6_100_000) }))
    await kept.find("wind")
    kept.remove(idOf(11))
    await kept.find("wind")
    kept.put(aSource({ id: idOf(13), spaceId, text: "supplier" }))
  }
})

describe("the parts of a search question", () => {
  const idsOf = async (kept: KeptSources, asked: string) =>
    (await kept.find(asked, { limit: 100, byWordsAlone: true })).items.map(({ id }) => id)
  const sorted = (ids: ReadonlyArray<string>) => ids.toSorted()
  const present = word.filter((each) => each !== "harbor")
  const holds = (each: Source, term: string) =>
    analyse(`${each.title} ${each.text} ${each.facets.join(" ")}`).includes(analyse(term)[0])

  it("a search for a phrase finds exactly the rows that contain the words of the phrase next to each other", () =>
    fc.assert(
      fc.asyncProperty(rows, present, present, async (all, one, other) => {
        const kept = over(all)
        const found = await idsOf(kept, `"${one} ${other}"`)
        const expected = all.filter(({ text, title }) =>
          [text, title].some((each) => ` ${each.replaceAll(/\W+/g, " ")} `.includes(` ${one} ${other} `))
        )
        assert.deepStrictEqual(sorted(found), sorted(expected.map(({ id }) => id)))
      }),
      { numRuns }
    ))

  it("a search for a phrase finds a long text wherever the text contains the phrase, even across the border of two passages", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 2500, max: 6500 }), fc.constantFrom(" ", ". ", "\n\n"), async (ahead, gap) => {
        const filler = (length: number) =>
          "wind tide "
            .repeat(Math.ceil(length / 10))
            .slice(0, length)
            .trimEnd()
        const kept = over([
          aSource({
            id: idOf(1),
            spaceId,
            text: `${filler(ahead)} rusty${gap}schooner of the${gap}quay ${filler(6000)}`
          }),
          // This text has the same words at the same places, near the border of two passages, but in another order.
          aSource({
            id: idOf(2),
            spaceId,
            text: `${filler(ahead)} schooner${gap}rusty of the${gap}quay ${filler(6000)}`
          })
        ])
        assert.deepStrictEqual(await idsOf(kept, '"rusty schooner"'), [idOf(1)])
        assert.deepStrictEqual(await idsOf(kept, '"schooner of the quay" "rusty schooner of"'), [idOf(1)])
        assert.deepStrictEqual(await idsOf(kept, '"schooner rusty"'), [idOf(2)])
        assert.deepStrictEqual(await idsOf(kept, '"of the quay"'), [idOf(1), idOf(2)])
        assert.deepStrictEqual(await idsOf(kept, '"rusty quay"'), [])
      }),
      { numRuns: 100 }
    ))

  /**
   * Documents in which a test searches for a phrase. In many of these documents, the two words of the phrase are apart.
   * Some of the documents belong to an entity.
   */
  const many = (pattern: ReadonlyArray<boolean>) =>
    pattern.flatMap((isTogether, at) => {
      const ownerId = at % 3 === 0 ? idOf(1000 + (at % 9)) : null
      const text = `${isTogether ? "rusty crane" : "crane rusty"} ${"wind ".repeat(at % 7)}`
      return [aSource({ id: idOf(at), spaceId, title: "report", text, ownerId })]
    })
  const owners = Array.from({ length: 9 }, (_, at) =>
    aSource({ id: idOf(1000 + at), spaceId, type: "entity", kind: "note", title: "ship" })
  )

  it("a phrase search with a small limit returns the first rows of the same search with a large limit", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 120, maxLength: 190 }),
        fc.integer({ min: 1, max: 12 }),
        async (pattern, limit) => {
          const kept = over([...many(pattern), ...owners])
          const [few, all] = [
            await kept.find('"rusty crane"', { limit }),
            await kept.find('"rusty crane"', { limit: 200 })
          ]
          assert.deepStrictEqual(few, { ...all, items: all.items.slice(0, limit) })
        }
      ),
      { numRuns }
    ))

  it("if many rows contain a phrase, a search for the phrase reads only the texts of the best rows", async () => {
    const kept = over(many(Array.from({ length: 190 }, () => true)))
    assert.lengthOf((await kept.find('"rusty crane"', { limit: 5 })).items, 5)
    assert.isAtMost(kept.placesShown(), 40)
  })

  it("a word with a minus in a question removes exactly the rows with this word from the answer, and does not change the scores of the remaining rows", () =>
    fc.assert(
      fc.asyncProperty(rows, present, present, async (all, one, other) => {
        const kept = over(all)
        const without = await kept.find(`${one} -${other}`, { limit: 100 })
        const whole = await kept.find(one, { limit: 100, byWordsAlone: true })
        const holders = new Set(all.filter((each) => holds(each, other)).map(({ id }) => id))
        assert.deepStrictEqual(
          without.items.map(({ id, score }) => [id, score]),
          whole.items.filter(({ id }) => !holders.has(id)).map(({ id, score }) => [id, score])
        )
      }),
      { numRuns }
    ))

  it("a search with a filter gives the same answer as a search without the filter on a pod that has only the matching rows", () =>
    fc.assert(
      fc.asyncProperty(rows, query, async (all, asked) => {
        const kept = over(all)
        const from = Date.UTC(2024, 0, 5)
        for (const [filter, keeps] of [
          ["type:note", ({ kind, facets }: Source) => kind === "note" || facets.includes("note")],
          ["type:document", ({ type }: Source) => type === "document"],
          ["type:customer", ({ facets }: Source) => facets.includes("customer")],
          ["after:2024-01-05", ({ updatedAt }: Source) => updatedAt >= from],
          ["before:2024-01-05", ({ updatedAt }: Source) => updatedAt < from],
          ["by:me", ({ makerId }: Source) => makerId === callerId],
          [`by:${otherId.toUpperCase()}`, ({ makerId }: Source) => makerId === otherId],
          [`by:me by:${otherId}`, () => true],
          [`by:${spaceId}`, () => false],
          ["-by:me", ({ makerId }: Source) => makerId !== callerId],
          ["-type:note", ({ kind }: Source) => kind !== "note"],
          ["-kind:document", ({ type }: Source) => type !== "document"],
          ["-type:customer -type:task", ({ kind, facets }: Source) => kind !== "task" && !facets.includes("customer")],
          ["-after:2024-01-05", ({ updatedAt }: Source) => updatedAt < from],
          ["-before:2024-01-05", ({ updatedAt }: Source) => updatedAt >= from]
        ] as const) {
          const bare = asked.replace("type:note ", "")
          assert.deepStrictEqual(await kept.find(`${filter} ${bare}`), await over(all.filter(keeps)).find(bare), filter)
        }
      }),
      { numRuns }
    ))

  it("search results with equal scores are ordered by id", () =>
    fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 2 }), async (order) => {
        const kept = over(order.map((id) => aSource({ id: idOf(id), spaceId, title: "crane", text: "on the quay" })))
        assert.deepStrictEqual(await idsOf(kept, "crane"), sorted(order.map(idOf)))
      }),
      { numRuns: 20 }
    ))
})

describe("the search index of rows", () => {
  it("a row that was indexed twice appears only once in a search, and a row that was removed from the index no longer changes answers", () =>
    fc.assert(
      fc.asyncProperty(rows, source(50), query, async (all, further, asked) => {
        const kept = over(all)
        await kept.find("wind")
        for (const each of all) kept.put(each)
        kept.put(further)
        await kept.find("wind")
        kept.remove(further.id)
        assert.deepStrictEqual(await kept.find(asked), await over(all).find(asked))
      }),
      { numRuns }
    ))
})

/**
 * Runs the search index and the ranking in this process, without a database. So a benchmark measures only the index and
 * the ranking.
 */
import { runWithoutPause } from "../../src/platform/InSlices.ts"
import { type MergedRanking, mergeRankings } from "../../src/features/search/AskSpaces.ts"
import { askEach } from "../../src/features/search/AskedSpace.ts"
import { PostingIndex } from "../../src/features/search/postings/PostingIndex.ts"
import { toIndexedObject } from "../../src/features/search/Source.ts"
import { questionOf } from "../../src/features/search/text/Question.ts"

export interface Text {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly kind?: string
}

const spaceId = "space"

export const putText = (index: PostingIndex, { id, kind = "note", text, title }: Text): void =>
  index.put(
    toIndexedObject(
      {
        id,
        spaceId,
        type: "entity",
        kind,
        title,
        text,
        facets: [],
        ownerId: null,
        makerId: spaceId,
        writerId: "writer",
        updatedAt: 0
      },
      "english"
    )
  )

export const indexOf = (texts: Iterable<Text>): PostingIndex => {
  const index = new PostingIndex()
  for (const text of texts) putText(index, text)
  return index
}

export interface Asking {
  readonly query: string
  /** The ids that the caller may read. Null if the caller may read all ids. */
  readonly visible: ReadonlySet<string> | null
  /** The kinds that the caller may read. Absent if the caller may read all kinds. */
  readonly kinds?: ReadonlyArray<string>
  readonly limit: number
  readonly byWordsAlone?: boolean
}

const names = new WeakMap<object, string>()
let made = 0

/**
 * Returns the name of a list of ids. In a pod, `ReadableIds` makes this name. A benchmark does not use `ReadableIds`,
 * so this function makes a name for each list.
 */
const nameOf = (visible: ReadonlySet<string>): string => {
  const name = names.get(visible) ?? `list ${made++}`
  names.set(visible, name)
  return name
}

/** Runs the part of a search that needs no database. */
export const ask = (
  index: PostingIndex,
  { byWordsAlone = false, kinds, limit, query, visible }: Asking
): MergedRanking => {
  const question = questionOf(query)
  const bounds = { spaces: [spaceId], kinds: kinds ?? null, objects: null, projects: null }
  const asked = runWithoutPause(
    askEach([{ spaceId, language: "english", index, vectors: null }], {
      question,
      readable: [{ type: "entity", bounds }],
      ids: visible === null ? new Map() : new Map([["entity", { name: nameOf(visible), ids: visible }]]),
      readsFacetsIn: () => true
    })
  )
  return runWithoutPause(mergeRankings(asked, question, { limit, byWordsAlone }))
}

/**
 * The search parameters in the address of the Memory page: the tab, the search words, the filters and the place of the page.
 */
export const trustLevels = ["person", "agent", "import"] as const
export const levels = ["fact", "turn", "summary", "session", "write"] as const
export const memoryTabs = ["facts", "duplicates", "forgotten"] as const

export interface MemorySearch {
  readonly tab?: (typeof memoryTabs)[number]
  /** The search words or, in a search for similar facts, the text of a fact. */
  readonly q?: string
  /** The id of the fact whose text is in `q`. The results leave this fact out. */
  readonly like?: string
  readonly trust?: (typeof trustLevels)[number]
  readonly level?: (typeof levels)[number]
  /** True if the list shows for each fact why the search found it. */
  readonly why?: boolean
  /** The place where the page of the list begins. A search has only one page. */
  readonly after?: string | undefined
}

// The search text can have at most this many characters.
export const wordsMax = 2000
export const factsOnPage = 50

export const memorySearchOf = (given: Readonly<Record<string, unknown>>): MemorySearch => {
  const tab = memoryTabs.find((each) => each === given["tab"])
  const trust = trustLevels.find((each) => each === given["trust"])
  const level = levels.find((each) => each === given["level"])
  const { after, like, q, why } = given
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(trust === undefined ? {} : { trust }),
    ...(level === undefined ? {} : { level }),
    ...(typeof q === "string" && q !== "" ? { q: q.slice(0, wordsMax) } : {}),
    ...(typeof like === "string" ? { like } : {}),
    ...(why === true ? { why } : {}),
    ...(typeof after === "string" ? { after } : {})
  }
}

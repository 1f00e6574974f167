/**
 * Finds records for the command palette, in two ways. Among the latest records, finds each record whose name has a word
 * that begins with the typed word. If several words are typed, this must be true for each of them. The pod's search
 * also finds older records, by whole words.
 */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { hub } from "../api/hub.ts"

export interface PaletteRecord {
  readonly type: "entity" | "document" | "knowledge" | "project" | "track" | "view"
  /** The id of the record in the address of its page. For a knowledge entry, this is the entry's key. */
  readonly id: string
  readonly workspaceId: string | undefined
  readonly title: string
  /** The kind of the record as text for the palette. */
  readonly about: string
}

// This many records of each type are read. The pod's search finds older records.
const latestMax = 200
// At most this many workspaces are read for knowledge entries, because the pod lists entries only by space.
const spacesMax = 10
const shownMax = 12

const spaceOf = (workspaceId: string | null | undefined) => workspaceId ?? undefined

const latestKnowledge = async (workspaceId: string | undefined, signal: AbortSignal) =>
  (
    await hub(
      "GET /api/hub/knowledge",
      { query: { limit: latestMax, ...(workspaceId === undefined ? {} : { workspaceId }) } },
      signal
    )
  ).map(({ key, workspaceId: at }): PaletteRecord => ({
    type: "knowledge",
    id: key,
    workspaceId: spaceOf(at),
    title: key,
    about: "knowledge"
  }))

const latestQuery = queryOptions<ReadonlyArray<PaletteRecord>>({
  queryKey: ["palette", "latest"],
  staleTime: 30_000,
  queryFn: async ({ signal }) => {
    const { workspaces } = await hub("GET /api/hub/workspaces", {}, signal)
    const spaces = [undefined, ...workspaces.slice(0, spacesMax).map(({ id }) => id)]
    const lists = await Promise.all([
      hub("GET /api/hub/entities", { query: { limit: latestMax } }, signal).then((all) =>
        all.map(({ id, profileSlug, title, workspaceId }): PaletteRecord => ({
          type: "entity",
          id,
          workspaceId: spaceOf(workspaceId),
          title,
          about: profileSlug
        }))
      ),
      hub("GET /api/hub/documents", { query: { limit: latestMax } }, signal).then((all) =>
        all.map(({ id, title, workspaceId }): PaletteRecord => ({
          type: "document",
          id,
          workspaceId: spaceOf(workspaceId),
          title,
          about: "document"
        }))
      ),
      ...spaces.map((space) => latestKnowledge(space, signal))
    ])
    return lists.flat()
  }
})

const types: ReadonlySet<string> = new Set<PaletteRecord["type"]>([
  "entity",
  "document",
  "knowledge",
  "project",
  "track",
  "view"
])

const isOpenable = (type: string): type is PaletteRecord["type"] => types.has(type)

const foundQuery = (words: string) =>
  queryOptions<ReadonlyArray<PaletteRecord>>({
    queryKey: ["palette", "found", words],
    staleTime: 30_000,
    // The pod refuses words that its search cannot read. The palette then still finds records by name, so a retry is
    // useless.
    retry: false,
    queryFn: async ({ signal }) => {
      const { answers } = await hub(
        "POST /api/hub/knowledge/search",
        { body: { query: words, limit: shownMax } },
        signal
      )
      return answers.flatMap(({ items }) =>
        items.flatMap(({ id, key, profileSlug, title, type, workspaceId }): ReadonlyArray<PaletteRecord> =>
          isOpenable(type)
            ? [
                {
                  type,
                  id: type === "knowledge" ? (key ?? id) : id,
                  workspaceId: spaceOf(workspaceId),
                  title,
                  about: profileSlug ?? type
                }
              ]
            : []
        )
      )
    }
  })

const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** True if each typed word is the beginning of a word in the name. */
export const beginsWith = (name: string, typed: string): boolean => {
  const own = wordsIn(name)
  const typedWords = wordsIn(typed)
  return typedWords.length > 0 && typedWords.every((word) => own.some((each) => each.startsWith(word)))
}

const leastLetters = 2

interface PaletteRecords {
  readonly records: ReadonlyArray<PaletteRecord>
  /** True while the pod has not answered, so more records can follow. */
  readonly isReading: boolean
}

export const usePaletteRecords = (words: string): PaletteRecords => {
  const isAsked = words.length >= leastLetters
  const latest = useQuery({ ...latestQuery, enabled: isAsked })
  const found = useQuery({ ...foundQuery(words), enabled: isAsked })
  if (!isAsked) return { records: [], isReading: false }
  const all = [...(latest.data ?? []).filter(({ title }) => beginsWith(title, words)), ...(found.data ?? [])]
  const once = new Map(all.map((record) => [paletteKey(record), record]))
  return { records: [...once.values()].slice(0, shownMax), isReading: latest.isPending || found.isPending }
}

export const paletteKey = ({ id, type, workspaceId }: PaletteRecord): string =>
  `${type} ${type === "knowledge" ? (workspaceId ?? "") : ""} ${id}`

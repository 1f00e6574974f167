/**
 * The store that counts how many of the latest entities of a kind have a value for each property. It counts only
 * entities that the call may read.
 */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { inSpaces } from "../../doors/Reach.ts"
import { latestFirst } from "../../doors/RowOrder.ts"
import type { Entity } from "../entities/Entity.ts"
import { entitiesWithin } from "../entities/EntityTable.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { KindFill } from "./Discovery.ts"

export const sampleMax = 100 // the maximum number of entities of one kind that the store examines, latest first

export interface FillQuery {
  readonly kinds: ReadonlyArray<string>
  /**
   * The spaces whose entities are counted. Null means every space that the call is allowed to read. The store ignores
   * any other space in the list.
   */
  readonly spaces: ReadonlyArray<string> | null
}

export class DiscoveryStore extends Context.Tag("pod/DiscoveryStore")<
  DiscoveryStore,
  {
    /**
     * Returns for each kind how many of its latest entities have a value for each property. Leaves out a kind without
     * entities. Empty texts, lists and objects do not count as values.
     */
    readonly fills: (query: FillQuery) => Effect.Effect<ReadonlyMap<string, KindFill>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => ({
      fills: ({ kinds, spaces }: FillQuery) =>
        read(({ reach, rows }) => {
          const readable = reach.bounds("entity", "read")
          const all = entitiesWithin(rows, spaces === null ? readable : inSpaces(readable, spaces))
            .map(({ entity }) => entity)
            .toSorted(latestFirst)
          const fills = new Map<string, KindFill>()
          for (const kind of new Set(kinds)) {
            const sample = all.filter(({ profileSlug }) => profileSlug === kind).slice(0, sampleMax)
            if (sample.length > 0) fills.set(kind, { sampleSize: sample.length, filled: filledIn(sample) })
          }
          return Effect.succeed(fills)
        })
    }))
  )
}

const empty: ReadonlySet<string> = new Set(["null", '""', "[]", "{}"])

/** Counts for each property the entities that have a value for it. */
const filledIn = (sample: ReadonlyArray<Pick<Entity, "properties">>): Readonly<Record<string, number>> => {
  const filled: Record<string, number> = {}
  const values = sample.flatMap(({ properties }) => Object.entries(properties))
  for (const [slug, value] of values) {
    if (!empty.has(JSON.stringify(value))) filled[slug] = (filled[slug] ?? 0) + 1
  }
  return filled
}

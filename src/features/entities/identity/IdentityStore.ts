/** The store that finds entities by name and identity signals (addresses and handles), within the reach of the call. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../../doors/Reach.ts"
import { memoryStatements } from "../../events/EventTable.ts"
import type { Entity } from "../Entity.ts"
import { listingBounds } from "../EntityStore.ts"
import { entitiesWithin } from "../EntityTable.ts"
import { sameNameKey, type Signal, signalsOf } from "./ResolveIdentity.ts"

export interface IdentityStoreQuery {
  /** The name, normalized by `sameNameKey`. If it is empty, names are not compared. */
  readonly nameKey: string
  /** The kinds whose names are compared. */
  readonly kinds: ReadonlyArray<string>
  readonly signals: ReadonlyArray<Signal>
  /** The spaces to search. Null means every space that the call may read. A list never gives access to more spaces. */
  readonly spaces: ReadonlyArray<string> | null
}

// the most entities that the search by name returns; the search by signals has the same limit
export const identityMatchesMax = 50

export class IdentityStore extends Context.Tag("pod/IdentityStore")<
  IdentityStore,
  {
    /**
     * Finds the entities with the name and one of the kinds, and the entities of any kind with one of the signals. The
     * result has no order, and an entity may occur twice.
     */
    readonly alike: (query: IdentityStoreQuery) => Effect.Effect<ReadonlyArray<Entity>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => ({
      alike: ({ kinds, nameKey, signals, spaces }: IdentityStoreQuery) =>
        read(({ reach, rows }) => {
          const asked = new Set(signals.map(({ name, value }) => `${name} ${value}`))
          const isAlike = ({ profileSlug, properties, title }: Entity) =>
            (nameKey !== "" && kinds.includes(profileSlug) && sameNameKey(title) === nameKey) ||
            signalsOf(properties).some(({ name, value }) => asked.has(`${name} ${value}`))
          const all = entitiesWithin(rows, listingBounds(reach, spaces)).map(({ entity }) => entity)
          return Effect.succeed(all.filter(isAlike))
        })
    }))
  )
}

/**
 * The store that finds entities by name and by identity signals, among the entities that the caller may read. The
 * feature `entities` has the SQL version and the in-memory version of this store, because it has the tables of
 * entities.
 */
import { Context, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { IdentityCandidate, Signal } from "./ResolveIdentity.ts"

export interface IdentityLookupQuery {
  /** The name, normalized by `sameNameKey`. If it is empty, the store does not compare names. */
  readonly nameKey: string
  /** The kinds of the entities whose names the store compares. */
  readonly kinds: ReadonlyArray<string>
  readonly signals: ReadonlyArray<Signal>
  /**
   * The spaces to search. Null means every space that the call may read. The store ignores spaces in the list that the
   * call may not read.
   */
  readonly spaces: ReadonlyArray<string> | null
}

// the maximum number of entities that the search by name returns; the search by signals has the same limit
export const identityMatchesMax = 50

export class IdentityLookup extends Context.Tag("pod/IdentityLookup")<
  IdentityLookup,
  {
    /**
     * Finds the newest entities with the name and one of the kinds, and the newest entities of any kind with one of the
     * signals, at most `identityMatchesMax` of each. The result has no order, and an entity can occur twice.
     */
    readonly findMatching: (query: IdentityLookupQuery) => Effect.Effect<ReadonlyArray<IdentityCandidate>, never, Reach>
  }
>() {}

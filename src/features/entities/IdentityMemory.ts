/** Implements `IdentityLookup` in memory. It finds entities by name and by identity signals. */
import { Effect, Layer } from "effect"
import { memoryStatements } from "../events/EventTable.ts"
import { identityMatchesMax, IdentityLookup } from "../identity/IdentityLookup.ts"
import { sameNameKey, signalsOf } from "../identity/ResolveIdentity.ts"
import type { Entity } from "./Entity.ts"
import { listingBounds } from "./EntityBounds.ts"
import { entitiesWithin } from "./EntityTable.ts"

export const layer = Layer.effect(
  IdentityLookup,
  Effect.map(memoryStatements, ({ read }) => ({
    findMatching: ({ kinds, nameKey, signals, spaces }) =>
      read(({ reach, rows }) => {
        const requested = new Set(signals.map(({ name, value }) => `${name} ${value}`))
        const isNamed = ({ profileSlug, title }: Entity) =>
          nameKey !== "" && kinds.includes(profileSlug) && sameNameKey(title) === nameKey
        const hasSignal = ({ properties }: Entity) =>
          signalsOf(properties).some(({ name, value }) => requested.has(`${name} ${value}`))
        const all = entitiesWithin(rows, listingBounds(reach, spaces))
          .map(({ entity }) => entity)
          .toSorted((one, other) => (one.id < other.id ? 1 : -1))
        return Effect.succeed([isNamed, hasSignal].flatMap((is) => all.filter(is).slice(0, identityMatchesMax)))
      })
  }))
)

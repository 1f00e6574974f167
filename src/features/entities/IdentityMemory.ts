/** Implements `IdentityLookup` in memory. It finds entities by name and by identity signals. */
import { Effect, Layer } from "effect"
import { memoryStatements } from "../events/EventTable.ts"
import { IdentityLookup } from "../identity/IdentityLookup.ts"
import { sameNameKey, signalsOf } from "../identity/ResolveIdentity.ts"
import type { Entity } from "./Entity.ts"
import { listingBounds } from "./EntityStore.ts"
import { entitiesWithin } from "./EntityTable.ts"

export const layer = Layer.effect(
  IdentityLookup,
  Effect.map(memoryStatements, ({ read }) => ({
    findMatching: ({ kinds, nameKey, signals, spaces }) =>
      read(({ reach, rows }) => {
        const requested = new Set(signals.map(({ name, value }) => `${name} ${value}`))
        const isAlike = ({ profileSlug, properties, title }: Entity) =>
          (nameKey !== "" && kinds.includes(profileSlug) && sameNameKey(title) === nameKey) ||
          signalsOf(properties).some(({ name, value }) => requested.has(`${name} ${value}`))
        const all = entitiesWithin(rows, listingBounds(reach, spaces)).map(({ entity }) => entity)
        return Effect.succeed(all.filter(isAlike))
      })
  }))
)

/** Where entities are looked up by their name and by addresses and handles. Bounded by the call's Reach. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../../doors/Reach.ts"
import { memoryStatements } from "../../events/EventTable.ts"
import type { Entity } from "../Entity.ts"
import { narrowed } from "../EntityStore.ts"
import { entitiesWithin } from "../EntityTable.ts"
import { sameNameKey, type Signal, signalsOf } from "./ResolveIdentity.ts"

export interface NamesakeQuery {
  /** As names are compared; empty for nobody's. */
  readonly nameKey: string
  /** The kinds whose names are compared. */
  readonly kinds: ReadonlyArray<string>
  readonly signals: ReadonlyArray<Signal>
  /** Null: every space the call reads. It narrows and never widens. */
  readonly spaces: ReadonlyArray<string> | null
}

export const namesakesMost = 50 // entities of one name, and as many of one of the signals

export class NamesakeStore extends Context.Tag("pod/NamesakeStore")<
  NamesakeStore,
  {
    /** Those of the kinds and the name, and those with one of the signals whatever their kind. In no order; some twice. */
    readonly alike: (query: NamesakeQuery) => Effect.Effect<ReadonlyArray<Entity>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => ({
      alike: ({ kinds, nameKey, signals, spaces }: NamesakeQuery) =>
        read(({ reach, rows }) => {
          const asked = new Set(signals.map(({ name, value }) => `${name} ${value}`))
          const isAlike = ({ profileSlug, properties, title }: Entity) =>
            (nameKey !== "" && kinds.includes(profileSlug) && sameNameKey(title) === nameKey) ||
            signalsOf(properties).some(({ name, value }) => asked.has(`${name} ${value}`))
          const all = entitiesWithin(rows, narrowed(reach, spaces)).map(({ entity }) => entity)
          return Effect.succeed(all.filter(isAlike))
        })
    }))
  )
}

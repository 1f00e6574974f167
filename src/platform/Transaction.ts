/** Several statements that happen together or not at all. */
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

export class Transaction extends Context.Tag("pod/Transaction")<
  Transaction,
  {
    /** Runs the work in a transaction. If it fails or dies, its changes are undone. */
    readonly atomically: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** The same, and while no other pod or call runs work of this name: it waits until their transactions have ended. */
    readonly alone: <A, E, R>(name: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    // Its transactions wait for each other anyway.
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      atomically: (work) => atomically(() => work),
      alone: (_name, work) => atomically(() => work)
    }))
  )
}

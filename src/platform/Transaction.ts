/** Runs several statements so that all of them are committed or none. */
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

export class Transaction extends Context.Tag("pod/Transaction")<
  Transaction,
  {
    /** Runs the work in a transaction. If it fails or dies, its changes are undone. */
    readonly atomically: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Runs the work in a transaction like `atomically`, but never at the same time as other work with the same name, on
     * any pod. It waits until the transactions of such work have ended.
     */
    readonly alone: <A, E, R>(name: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    // In memory, all transactions wait for each other, so the name is not needed.
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      atomically: (work) => atomically(() => work),
      alone: (_name, work) => atomically(() => work)
    }))
  )
}

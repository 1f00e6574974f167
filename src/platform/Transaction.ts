/** Runs several statements in one transaction. Either all of them are committed, or none. */
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

export class Transaction extends Context.Tag("pod/Transaction")<
  Transaction,
  {
    /** Runs the work in a transaction. If the work fails or has a defect, its changes are undone. */
    readonly atomically: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Runs the work in a transaction like `atomically`, but never at the same time as other work with the same name, on
     * any node. The function first waits until the transactions of other work with this name have ended.
     */
    readonly exclusively: <A, E, R>(name: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    // In memory, all transactions wait for each other, so the name is not needed.
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      atomically: (work) => atomically(() => work),
      exclusively: (_name, work) => atomically(() => work)
    }))
  )
}

/** How many proposals wait in the whole pod: a number for its operator, of which nobody can tell whose they are. */
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase } from "../../platform/MemoryDatabase.ts"
import { proposalTable } from "./ProposalStore.ts"

export class ProposalCount extends Context.Tag("pod/ProposalCount")<
  ProposalCount,
  {
    /** Those that nobody has decided. It needs no reach, because it is no answer to a caller. */
    readonly waiting: Effect.Effect<number>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ rows }) => ({
      waiting: Effect.map(rows, (kept) => kept.all(proposalTable).filter(({ status }) => status === "pending").length)
    }))
  )
}

/**
 * The number of waiting proposals in the whole pod, for the operator. The number does not show whose proposals they
 * are.
 */
import { Context, Effect, Layer } from "effect"
import { countedMax } from "../../doors/Page.ts"
import { MemoryDatabase } from "../../platform/MemoryDatabase.ts"
import { proposalTable } from "./ProposalStore.ts"

export class ProposalCount extends Context.Tag("pod/ProposalCount")<
  ProposalCount,
  {
    /**
     * Counts the proposals on which nobody has decided. The count stops at `countedMax`. No caller of the pod gets the
     * number, so this checks no rights.
     */
    readonly waiting: Effect.Effect<number>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ rows }) => ({
      waiting: Effect.map(rows, (tables) =>
        Math.min(tables.all(proposalTable).filter(({ status }) => status === "pending").length, countedMax)
      )
    }))
  )
}

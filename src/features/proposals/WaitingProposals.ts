/** Gives the texts of waiting proposals to the search, which compares the texts with a question. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { ExcerptPlaces, ProposalExcerpt } from "./ProposalExcerpt.ts"
import { ProposalStore } from "./ProposalStore.ts"

export class WaitingProposals extends Context.Tag("pod/WaitingProposals")<
  WaitingProposals,
  {
    /** Returns at most `limit` waiting proposals of these spaces that the caller may see, latest first. */
    readonly latest: (
      places: ExcerptPlaces,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ProposalExcerpt>, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(ProposalStore, ({ excerpts }) => ({ latest: excerpts }))
  )
}

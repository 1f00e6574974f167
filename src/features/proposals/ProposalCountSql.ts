/** The number of waiting proposals on PostgreSQL. */
import { Effect, Layer } from "effect"
import { Database } from "../../platform/Database.ts"
import { ProposalCount } from "./ProposalCount.ts"

export const layer = Layer.effect(
  ProposalCount,
  Effect.map(Database, ({ asOwner }) => ({
    // Row-level security shows no statement of the pod the rows of every space.
    waiting: asOwner((owner) =>
      owner.query("SELECT count(*)::integer AS waiting FROM public.proposals WHERE status = 'pending'")
    ).pipe(
      Effect.map(([row]) => Number(row?.["waiting"] ?? 0)),
      Effect.orDie
    )
  }))
)

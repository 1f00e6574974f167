/** Counts the waiting proposals in SQL. */
import { Effect, Layer } from "effect"
import { Database } from "../../platform/Database.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { countedMax } from "../../doors/Page.ts"
import { ProposalCount } from "./ProposalCount.ts"

export const layer = Layer.effect(
  ProposalCount,
  Effect.map(Database, ({ asOwner }) => ({
    // The statement runs as the owner of the database, because under row-level security no other statement sees the
    // rows of all spaces.
    waiting: asOwner((owner) =>
      owner.query(
        `SELECT count(*)::integer AS waiting
         FROM (SELECT 1 FROM public.proposals WHERE status = 'pending' LIMIT ${countedMax}) AS pending`
      )
    ).pipe(
      Effect.map(([row]) => Number(row?.["waiting"] ?? 0)),
      dieOnSqlError
    )
  }))
)

/** The handler of sample data, which the operator of the data directory removes. */
import { Effect } from "effect"
import { Unavailable } from "../../doors/Failure.ts"
import { implement } from "../../doors/Implement.ts"
import { Database } from "../../platform/Database.ts"
import { removeWorkspacesOf } from "../../transfer/SampleSql.ts"
import { SampleApi } from "./SampleApi.ts"
import { sampleTemplate, sampleType } from "./SampleMark.ts"

const tryAgainSeconds = 10

export const layer = implement(
  SampleApi,
  Effect.map(Database, ({ asOwner }) => ({
    "samples.remove": () =>
      Effect.gen(function* () {
        const removed = yield* Effect.mapError(
          asOwner((owner) => removeWorkspacesOf(owner, sampleTemplate, sampleType)),
          ({ message }) => new Unavailable({ why: message, retryAfterSeconds: tryAgainSeconds })
        )
        return { removed }
      })
  }))
)

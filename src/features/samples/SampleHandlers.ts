/** The handler of sample data: only the operator of the data directory may remove it. */
import { Effect } from "effect"
import { Unavailable } from "../../doors/Failure.ts"
import { implement } from "../../doors/Implement.ts"
import { operatorOnly } from "../../doors/OperatorOnly.ts"
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
        yield* operatorOnly("remove the sample", "pod seed remove")
        const removed = yield* Effect.mapError(
          asOwner((owner) => removeWorkspacesOf(owner, sampleTemplate, sampleType)),
          ({ message }) => new Unavailable({ why: message, retryAfterSeconds: tryAgainSeconds })
        )
        return { removed }
      })
  }))
)

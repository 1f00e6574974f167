/** What is told of the ranking of a caller's entities. */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"

export const topMost = 10 // entities that a status names

const RankedEntity = Schema.Struct({
  id: Schema.UUID,
  title: Schema.String,
  score: described("Its share of all scores; they sum up to 1.", Schema.Number)
}).annotations({ identifier: "RankedEntity" })
export type RankedEntity = typeof RankedEntity.Type

const note = described(
  "Why there is nothing; left out when all is well.",
  Schema.optionalWith(Schema.String, { exact: true })
)

export const CentralityStatus = Schema.Struct({
  computed: described("Whether there is a ranking.", Schema.Boolean),
  rows: described("How many of the ranked entities the caller reads.", Schema.Number),
  lastComputedAt: described("When it was computed last.", Schema.NullOr(Timestamp)),
  oldestComputedAt: described("When its oldest part was computed.", Schema.NullOr(Timestamp)),
  top: described("The most central, at most ten.", Schema.Array(RankedEntity)),
  note
}).annotations({ identifier: "CentralityStatus" })
export type CentralityStatus = typeof CentralityStatus.Type

export const CentralityTrigger = Schema.Struct({
  triggered: described("Whether it will be computed soon.", Schema.Boolean),
  note
}).annotations({ identifier: "CentralityTrigger" })
export type CentralityTrigger = typeof CentralityTrigger.Type

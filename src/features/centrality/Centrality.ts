/** The answers about the ranking of the entities that a caller may read. */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

export const topMax = 10 // the maximum number of entities that the status of a ranking names

const RankedEntity = Schema.Struct({
  id: Id,
  title: Schema.String,
  score: described("Score of the entity; the sum of all scores is 1.", Schema.Number)
}).annotations({ identifier: "RankedEntity" })
export type RankedEntity = typeof RankedEntity.Type

const note = described(
  "Why the ranking is missing; absent when the ranking exists.",
  Schema.optionalWith(Schema.String, { exact: true })
)

export const CentralityStatus = Schema.Struct({
  computed: described("Whether the pod has computed the ranking of entities.", Schema.Boolean),
  rows: described("How many of the ranked entities the caller may read.", Schema.Number),
  lastComputedAt: Schema.NullOr(Timestamp),
  oldestComputedAt: described("When the pod computed the oldest part of the ranking.", Schema.NullOr(Timestamp)),
  top: described("Entities with the highest scores, at most ten.", Schema.Array(RankedEntity)),
  note
}).annotations({ identifier: "CentralityStatus" })
export type CentralityStatus = typeof CentralityStatus.Type

export const CentralityTrigger = Schema.Struct({
  triggered: described("Whether the pod will soon compute the ranking.", Schema.Boolean),
  note
}).annotations({ identifier: "CentralityTrigger" })
export type CentralityTrigger = typeof CentralityTrigger.Type

/** The MCP tool `svc_get_graph`, with which a model reads an object and its neighbours. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { GraphEnvelope, GraphKind, GraphNode, NameMatches, NameQuery } from "./GraphNode.ts"

// The minimum and the maximum number of tokens of an answer. The pod counts four characters as one token.
const [budgetMin, budgetMax] = [500, 8000]

/** A neighbour with only the fields that a model needs. */
const LeanNeighbor = Schema.Struct({
  kind: GraphKind,
  id: Id,
  name: Schema.NullOr(Schema.String),
  subtype: Schema.NullOr(Schema.String),
  edgeType: Schema.String,
  direction: Schema.String
})

export const GraphAnswer = Schema.Struct({
  found: described(
    "False if the object is missing or hidden, if several objects have the name, or if the request has neither id nor name.",
    Schema.Boolean
  ),
  object: Schema.optionalWith(GraphNode, { exact: true }),
  neighbors: Schema.Array(LeanNeighbor),
  counts: Schema.optionalWith(GraphEnvelope.fields.counts, { exact: true }),
  candidates: described(
    "All objects with the given name, if there are several.",
    Schema.optionalWith(NameMatches.fields.matches, { exact: true })
  ),
  leftOut: described(
    "For each list, how many items the answer leaves out.",
    Schema.Record({ key: Schema.String, value: Schema.Number })
  )
})
export type GraphAnswer = typeof GraphAnswer.Type

export const GraphTools = [
  tool("svc_get_graph", {
    title: "Get graph",
    input: describeArguments(
      Schema.Struct({
        id: Schema.optional(Id),
        name: Schema.optional(NameQuery.fields.name),
        type: Schema.optionalWith(GraphKind, { default: () => "entity" as const }),
        subtype: Schema.optional(Schema.String.pipe(Schema.maxLength(64))),
        budget: Schema.optionalWith(Schema.Int.pipe(Schema.between(budgetMin, budgetMax)), { default: () => 1000 })
      }),
      {
        id: "The id of the object. Send either `id` or `name`.",
        name: "The whole name of the object. If several objects have this name, the answer lists these objects as candidates.",
        type: "The type of the object: `entity`, `document`, `project`, `view`, `channel`, `thread`, `session`, `automation`, `command`, `track` or `artifact`.",
        subtype: "With a name: only objects of this subtype, such as `person` or `company`.",
        budget:
          "The largest size of the answer in tokens of about four characters; the pod shortens the list of neighbours to fit."
      }
    ),
    success: GraphAnswer,
    door: fullGrantInSpaces("mcp.read"),
    profiles: ["builder"],
    summary:
      "Show the connections of an object, with counts. If several objects have the given name, the answer lists these objects as candidates."
  })
] as const

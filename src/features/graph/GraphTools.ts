/** The MCP tool of the graph. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import { GraphEnvelope, GraphKind, GraphNode, NameMatches, NameQuery } from "./GraphNode.ts"

const [budgetLeast, budgetMost] = [500, 8000] // tokens, of about four characters

/** A neighbour without what a model can do without. */
const LeanNeighbor = Schema.Struct({
  kind: GraphKind,
  id: Schema.UUID,
  name: Schema.NullOr(Schema.String),
  subtype: Schema.NullOr(Schema.String),
  edgeType: Schema.String,
  direction: Schema.String
})

export const GraphAnswer = Schema.Struct({
  found: described(
    "False for what is missing or hidden, where several objects have the name, and where neither id nor name is given.",
    Schema.Boolean
  ),
  object: Schema.optionalWith(GraphNode, { exact: true }),
  neighbors: Schema.Array(LeanNeighbor),
  counts: Schema.optionalWith(GraphEnvelope.fields.counts, { exact: true }),
  candidates: described(
    "The objects of the name, where there are several.",
    Schema.optionalWith(NameMatches.fields.matches, { exact: true })
  ),
  leftOut: described("By list: how many more there are.", Schema.Record({ key: Schema.String, value: Schema.Number }))
})
export type GraphAnswer = typeof GraphAnswer.Type

export const GraphTools = [
  tool("svc_get_graph", {
    title: "Get graph",
    input: describeArguments(
      Schema.Struct({
        id: Schema.optional(Schema.UUID),
        name: Schema.optional(NameQuery.fields.name),
        type: Schema.optionalWith(GraphKind, { default: () => "entity" as const }),
        subtype: Schema.optional(Schema.String.pipe(Schema.maxLength(64))),
        budget: Schema.optionalWith(Schema.Int.pipe(Schema.between(budgetLeast, budgetMost)), { default: () => 1000 })
      }),
      {
        id: "The object, by id. Give either id or name.",
        name: "The object, by its whole name; if several have it, they are listed as candidates.",
        type: "Its kind: entity, document, project, view, channel, thread, session, automation, command, track or artifact.",
        subtype: "With a name: only of this sort, such as person or company.",
        budget: "How many tokens the answer may have, of about four characters; neighbours are cut to fit."
      }
    ),
    success: GraphAnswer,
    door: fullGrant("mcp.read"),
    summary:
      "Show what an object is connected to, with counts. Names that several objects have are answered with candidates."
  })
] as const

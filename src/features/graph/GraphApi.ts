/** What the Hub opens of the graph: walking relations, the neighbours of an object, and what an id or a name stands for. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import {
  EnvelopeQuery,
  GraphEnvelope,
  GraphKind,
  NameMatches,
  NameQuery,
  Resolved,
  TraversedEntity,
  TraverseQuery
} from "./GraphNode.ts"

const door = fullGrant("hub-protocol.read")

export const GraphApi = HttpApiGroup.make("graph")
  .annotate(OpenApi.Description, "How objects are connected, and what an id or a name stands for.")
  .add(
    read("graph.traverse", {
      path: "/graph/traverse",
      query: TraverseQuery,
      success: Schema.Array(TraversedEntity),
      door,
      summary: "List the entities within some relations of one, nearest first."
    })
  )
  .add(
    read("graph.get", {
      path: "/graph/:type/:id",
      params: Schema.Struct({
        type: described("The kind of the object.", GraphKind),
        id: described("The object, by id.", Schema.UUID)
      }),
      query: EnvelopeQuery,
      success: GraphEnvelope,
      door,
      summary: "Read what an object is connected to, with counts."
    })
  )
  .add(
    read("resolve.id", {
      path: "/resolve/:id",
      params: Schema.Struct({
        id: described("The id of anything.", Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)))
      }),
      success: Resolved,
      door,
      summary: "Read what an id stands for; `unknown` for what is missing or hidden."
    })
  )
  .add(
    read("resolve.name", {
      path: "/resolve",
      query: NameQuery,
      success: NameMatches,
      door,
      summary: "Find the objects of a kind by their whole name."
    })
  )

/** The Hub endpoints of the graph: follow relations, list neighbours of an object, and find objects by id or name. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import {
  EnvelopeQuery,
  GraphEnvelope,
  GraphKind,
  NameMatches,
  NameQuery,
  ObjectTitle,
  ResolveResult,
  TitleQuery,
  TraversedEntity,
  TraverseQuery
} from "./GraphNode.ts"

const door = fullGrantInSpaces("hub-protocol.read")

export const GraphApi = HttpApiGroup.make("graph")
  .annotate(OpenApi.Description, "The graph: how objects are connected, and which object has a given id or name.")
  .add(
    read("graph.traverse", {
      path: "/graph/traverse",
      query: TraverseQuery,
      success: Schema.Array(TraversedEntity),
      door,
      summary: "List the entities that are a few relations away from an entity, nearest first."
    })
  )
  .add(
    read("graph.get", {
      path: "/graph/:type/:id",
      params: Schema.Struct({
        type: described("Type of the object.", GraphKind),
        id: described("Id of the object.", Id)
      }),
      query: EnvelopeQuery,
      success: GraphEnvelope,
      door,
      summary: "Read an object and the objects that are connected to it, with counts."
    })
  )
  .add(
    read("resolve.id", {
      path: "/resolve/:id",
      params: Schema.Struct({
        id: described("Id of any object.", Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)))
      }),
      success: ResolveResult,
      door,
      summary:
        "Read which object an id belongs to. The type is `unknown` if the object is missing or hidden from the caller."
    })
  )
  .add(
    read("resolve.titles", {
      method: "POST",
      path: "/resolve/titles",
      payload: TitleQuery,
      success: Schema.Array(ObjectTitle),
      door,
      summary:
        "Read the types and names of up to 100 objects by their ids. Ids of missing or hidden objects are left out of the answer."
    })
  )
  .add(
    read("resolve.name", {
      path: "/resolve",
      query: NameQuery,
      success: NameMatches,
      door,
      summary: "Find the objects of a type by their whole name, newest first."
    })
  )

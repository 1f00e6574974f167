/** The Hub endpoints of facets. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath, DeleteResponse } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { ProfileSlug } from "../profiles/ProfileSlug.ts"
import { Facet, FacetDraft } from "./Facet.ts"

export const FacetApi = HttpApiGroup.make("facets")
  .annotate(OpenApi.Description, "Facets: roles of an entity in addition to its kind, each with its own properties.")
  .add(
    read("facets.list", {
      path: "/entities/:id/facets",
      params: idPath,
      success: Schema.Array(Facet.schema),
      errors: [NotFound],
      door: rows("hub-protocol.read", "facet"),
      summary: "List the facets of an entity, with the properties of each facet."
    })
  )
  .add(
    write("facets.put", {
      method: "POST",
      path: "/entities/:id/facets",
      params: idPath,
      payload: FacetDraft,
      success: Facet.schema,
      door: writes("hub-protocol.write", "facet", ["create"]),
      summary: "Give a facet to an entity, or change the properties of a facet that the entity has."
    })
  )
  .add(
    write("facets.delete", {
      method: "DELETE",
      path: "/entities/:id/facets/:slug",
      params: Schema.Struct({ id: Id, slug: ProfileSlug }),
      success: DeleteResponse,
      door: writes("hub-protocol.write", "facet", ["delete"]),
      summary: "Remove a facet from an entity."
    })
  )

/** The Hub endpoints for the roles of entities. */
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
  .annotate(OpenApi.Description, "Roles that an entity plays in addition to its kind.")
  .add(
    read("facets.list", {
      path: "/entities/:id/facets",
      params: idPath,
      success: Schema.Array(Facet.schema),
      errors: [NotFound],
      door: rows("hub-protocol.read", "facet"),
      summary: "List the roles that an entity plays, with the properties of each role."
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
      summary: "Give a role to an entity, or change the properties of a role that the entity plays."
    })
  )
  .add(
    write("facets.delete", {
      method: "DELETE",
      path: "/entities/:id/facets/:slug",
      params: Schema.Struct({ id: Id, slug: ProfileSlug }),
      success: DeleteResponse,
      door: writes("hub-protocol.write", "facet", ["delete"]),
      summary: "Remove a role from an entity."
    })
  )

/** The Hub endpoints of brands. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath, DeleteResponse } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { Brand, BrandChange, BrandDraft, BrandKit, BrandQuery, KitQuery } from "./Brand.ts"

// A key with limits is allowed to read the kit of a brand, but not to list brands or read a whole brand (specification
// §5.4).
const reading = fullGrantInSpaces("hub-protocol.read")

export const BrandApi = HttpApiGroup.make("brands")
  .annotate(OpenApi.Description, "Brands: the visual style and the tone of texts of a workspace or a personal space.")
  .add(
    read("brand.kit", {
      path: "/brand/kit",
      query: KitQuery,
      success: BrandKit,
      errors: [NotFound],
      door: rows("hub-protocol.read", "brand"),
      summary: "Read the brand of a project, a workspace or a personal space as JSON, CSS or Markdown."
    })
  )
  .add(
    read("brands.list", {
      path: "/brands",
      query: BrandQuery,
      success: pageOf(Brand.schema),
      door: reading,
      summary: "List the brands that the caller may read, newest first."
    })
  )
  .add(
    read("brands.get", {
      path: "/brands/:id",
      params: idPath,
      success: Brand.schema,
      errors: [NotFound],
      door: reading,
      summary: "Read one brand."
    })
  )
  .add(
    write("brands.create", {
      method: "POST",
      path: "/brands",
      payload: BrandDraft,
      success: Brand.schema,
      door: writes("hub-protocol.write", "brand", ["create"]),
      summary: "Create a brand."
    })
  )
  .add(
    write("brands.update", {
      method: "PATCH",
      path: "/brands/:id",
      params: idPath,
      payload: BrandChange,
      success: Brand.schema,
      door: writes("hub-protocol.write", "brand", ["update"]),
      summary: "Change a brand. New `tokens` (colours, fonts, sizes, voice) replace all existing tokens."
    })
  )
  .add(
    write("brands.delete", {
      method: "DELETE",
      path: "/brands/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "brand", ["delete"]),
      summary: "Archive a brand."
    })
  )

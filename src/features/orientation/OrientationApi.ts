/** The Hub endpoint of orientation. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/DeclareRest.ts"
import { everyKind } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Orientation, OrientQuery } from "./Orientation.ts"

export const OrientationApi = HttpApiGroup.make("orientation")
  .annotate(OpenApi.Description, "Orientation: the overview that an agent reads first.")
  .add(
    read("orientation.orient", {
      path: "/orient",
      query: OrientQuery,
      success: Orientation,
      errors: [NotFound],
      door: everyKind("hub-protocol.read", ["workspace", "project", "profile", "entity", "proposal"]),
      summary: "Read who you are, which workspaces you may use, what changed last and which proposals wait."
    })
  )

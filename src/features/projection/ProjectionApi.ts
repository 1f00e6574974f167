/** The endpoint with which everybody can read the public part of a workspace, without a credential. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { open } from "../../doors/DeclareRest.ts"
import { everybody } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { ProjectionQuery, PublicFeed } from "./Projection.ts"

export const ProjectionApi = HttpApiGroup.make("projection")
  .annotate(OpenApi.Description, "Public data of workspaces; callers need no credential.")
  .annotate(OpenApi.Override, { "x-displayName": "Public" })
  .add(
    open("projection.read", {
      path: "/public/projection",
      query: ProjectionQuery,
      success: PublicFeed,
      errors: [NotFound],
      door: everybody("the owners of the workspace choose what is public; if nothing is public, the answer is 404"),
      summary: "Read the public entities of a workspace, with their public fields."
    })
  )

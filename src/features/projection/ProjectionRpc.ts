/** The procedure that shows what a workspace would make public, before anything is stored. */
import { RpcGroup } from "@effect/rpc"
import { query } from "../../doors/DeclareProcedure.ts"
import { signedIn } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { PreviewedProjection, PublicFeed } from "./Projection.ts"

export const ProjectionProcedures = RpcGroup.make(
  query("projection.preview", {
    input: PreviewedProjection,
    success: PublicFeed,
    door: signedIn,
    errors: [NotFound],
    summary: "Show what a workspace would make public with these roles and fields, without making anything public."
  })
)

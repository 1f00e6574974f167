/** The Hub endpoints of artifacts. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { rows, writes } from "../../doors/Door.ts"
import { idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { Artifact, ArtifactChange, ArtifactDraft, ArtifactQuery } from "./Artifact.ts"

export const ArtifactApi = HttpApiGroup.make("artifacts")
  .annotate(
    OpenApi.Description,
    "Artifacts: things that an agent or a person produced, with the place where clients show them."
  )
  .add(
    read("artifacts.list", {
      path: "/artifacts",
      query: ArtifactQuery,
      success: pageOf(Artifact.schema),
      door: rows("hub-protocol.read", "artifact"),
      summary: "List the artifacts that the caller may read, newest first."
    })
  )
  .add(
    write("artifacts.create", {
      method: "POST",
      path: "/artifacts",
      payload: ArtifactDraft,
      success: Artifact.schema,
      door: writes("hub-protocol.write", "artifact", ["create"]),
      summary: "Add an artifact, and set where clients show it."
    })
  )
  .add(
    write("artifacts.update", {
      method: "PATCH",
      path: "/artifacts/:id",
      params: idPath,
      payload: ArtifactChange,
      success: Artifact.schema,
      door: writes("hub-protocol.write", "artifact", ["update"]),
      summary: "Change the state of an artifact (`working`, `kept` or `swept`), or move the artifact to another place."
    })
  )

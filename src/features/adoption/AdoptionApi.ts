/** The Hub endpoints of the pod's configuration and of the templates. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrant, writes } from "../../doors/Door.ts"
import { Adopted, AdoptionDraft, PodConfig } from "./Adoption.ts"

export const AdoptionApi = HttpApiGroup.make("pod")
  .annotate(OpenApi.Description, "Configuration of this pod, and templates for its workspaces.")
  .add(
    read("pod.config", {
      path: "/pod/config",
      success: PodConfig,
      door: fullGrant("hub-protocol.read"),
      summary: "Read the version, the limits, the optional parts and the templates of the pod."
    })
  )
  .add(
    write("pod.adopt", {
      method: "POST",
      path: "/pod/adopt",
      payload: AdoptionDraft,
      success: Adopted,
      door: writes("hub-protocol.write", "profile", ["create"]),
      summary: "Set up a workspace with a template; existing records stay as they are."
    })
  )

/** The Hub endpoints of model providers, for the owner of the pod. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrant, unrestrictedWrites } from "../../doors/Door.ts"
import { DeleteResponse, idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { Provider, ProviderChange, ProviderDraft, ProviderProbe, ProviderQuery } from "./Provider.ts"

const door = (action: "create" | "update" | "delete") => unrestrictedWrites("providers.write", "provider", [action])

export const ProviderApi = HttpApiGroup.make("providers")
  .annotate(
    OpenApi.Description,
    "Model providers: the owner chooses the pod's language model and embedding model, without a restart."
  )
  .add(
    read("providers.list", {
      path: "/providers",
      query: ProviderQuery,
      success: pageOf(Provider.schema),
      door: fullGrant("providers.write"),
      summary: "List the configured providers, newest first, without their keys."
    })
  )
  .add(
    write("providers.create", {
      method: "POST",
      path: "/providers",
      payload: ProviderDraft,
      success: Provider.schema,
      door: door("create"),
      summary: "Configure a provider. The pod uses the provider only after you activate it."
    })
  )
  .add(
    write("providers.update", {
      method: "PATCH",
      path: "/providers/:id",
      params: idPath,
      payload: ProviderChange,
      success: Provider.schema,
      door: door("update"),
      summary: "Change a provider. If the provider is active, the pod uses the change within seconds."
    })
  )
  .add(
    write("providers.probe", {
      method: "POST",
      path: "/providers/:id/probe",
      params: idPath,
      success: ProviderProbe,
      door: door("update"),
      waitsOutside: true,
      summary: "Check whether a provider answers and accepts the key. The check costs no tokens."
    })
  )
  .add(
    write("providers.activate", {
      method: "POST",
      path: "/providers/:id/activate",
      params: idPath,
      success: Provider.schema,
      door: door("update"),
      summary:
        "Use this provider instead of the model in the pod's settings. After a change of the embedding model, search compares only words until the new model has read all texts."
    })
  )
  .add(
    write("providers.deactivate", {
      method: "POST",
      path: "/providers/:id/deactivate",
      params: idPath,
      success: Provider.schema,
      door: door("update"),
      summary: "Stop using a provider. The pod then uses the model in its settings again."
    })
  )
  .add(
    write("providers.delete", {
      method: "DELETE",
      path: "/providers/:id",
      params: idPath,
      success: DeleteResponse,
      door: door("delete"),
      summary: "Delete a provider."
    })
  )

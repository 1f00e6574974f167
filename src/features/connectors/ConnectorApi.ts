/** The Hub endpoints of connectors. A grant cannot limit these endpoints, so a key needs an unrestricted grant. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrant, unrestrictedWrites } from "../../doors/Door.ts"
import { DeleteResponse, idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { Connector, ConnectorChange, ConnectorDraft, ConnectorQuery } from "./Connector.ts"

const door = (action: "create" | "update" | "delete") => unrestrictedWrites("hub-protocol.write", "connector", [action])

export const ConnectorApi = HttpApiGroup.make("connectors")
  .annotate(OpenApi.Description, "Connectors: your accounts at services outside of the pod. Only for people.")
  .add(
    read("connectors.list", {
      path: "/connectors",
      query: ConnectorQuery,
      success: pageOf(Connector.schema),
      door: fullGrant("hub-protocol.read"),
      summary: "List your connectors, newest first."
    })
  )
  .add(
    write("connectors.create", {
      method: "POST",
      path: "/connectors",
      payload: ConnectorDraft,
      success: Connector.schema,
      door: door("create"),
      summary: "Create a connector."
    })
  )
  .add(
    write("connectors.update", {
      method: "PATCH",
      path: "/connectors/:id",
      params: idPath,
      payload: ConnectorChange,
      success: Connector.schema,
      door: door("update"),
      summary: "Change a connector."
    })
  )
  .add(
    write("connectors.probe", {
      method: "POST",
      path: "/connectors/:id/probe",
      params: idPath,
      success: Connector.schema,
      door: door("update"),
      waitsOutside: true,
      summary:
        "Check a connector: the pod calls the service with the credential and stores the status, at most once in 5 seconds."
    })
  )
  .add(
    write("connectors.disconnect", {
      method: "POST",
      path: "/connectors/:id/disconnect",
      params: idPath,
      success: Connector.schema,
      door: door("update"),
      summary: "Remove the credential from a connector. The vault keeps the credential."
    })
  )
  .add(
    write("connectors.delete", {
      method: "DELETE",
      path: "/connectors/:id",
      params: idPath,
      success: DeleteResponse,
      door: door("delete"),
      summary: "Delete a connector."
    })
  )

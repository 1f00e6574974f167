/** The procedures that read connectors. */
import { RpcGroup } from "@effect/rpc"
import { query } from "../../doors/DeclareProcedure.ts"
import { fullGrant } from "../../doors/Door.ts"
import { pageOf } from "../../doors/Page.ts"
import { Connector, ConnectorInput, ConnectorState } from "./Connector.ts"

const readDoor = fullGrant("hub-protocol.read")

export const ConnectorProcedures = RpcGroup.make(
  query("connectors.status", {
    input: ConnectorInput,
    success: pageOf(ConnectorState),
    door: readDoor,
    summary: "Read the status that the last check of each of your connectors found."
  }),
  query("connectors.list", {
    input: ConnectorInput,
    success: pageOf(Connector.schema),
    door: readDoor,
    summary: "List your connectors, newest first."
  })
)

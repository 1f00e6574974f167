/** Runs the contract of the store of workspace use on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the content of workspaces", contractOf("workspaceUse"))

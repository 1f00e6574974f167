/** The stores of workspace settings, members and provisioning, on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { workspaceChangesContract } from "./workspaceChanges.contract.ts"

onEachEngine("a workspace's parts", workspaceChangesContract)

/** The stores behind a workspace's settings, members and making, on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { workspaceChangesContract } from "./workspaceChanges.contract.ts"

onEachEngine("a workspace's parts", workspaceChangesContract)

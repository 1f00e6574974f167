/** The stores of workspaces on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { workspaceStoreContract } from "./workspaceStore.contract.ts"

onEachEngine("workspaces", workspaceStoreContract)

/** What workspaces hold and which projects use them, on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { workspaceUseContract } from "./workspaceUse.contract.ts"

onEachEngine("what is in workspaces", workspaceUseContract)

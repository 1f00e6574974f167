/** What is in workspaces and who uses it, on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the content of workspaces", contractOf("workspaceUse"))

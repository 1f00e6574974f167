/**
 * Runs the contract suite of `WorkspaceUse` on every engine. This store counts the entities of workspaces, and lists
 * the projects that use them.
 */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the content of workspaces", contractOf("workspaceUse"))

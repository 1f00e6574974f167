/** The numbers of entities and projects in workspaces, on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the content of workspaces", contractOf("workspaceUse"))

/** Runs the contract tests of the workspace store on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("workspaces", contractOf("workspaces"))

/** Runs the contract tests of the store of the sample workspaces on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the store of the sample workspaces", contractOf("samples"))

/** Runs the contract tests of the proposal store on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("proposals", contractOf("proposals"))

/** Runs the contract tests of the store of memory facts on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("memory facts", contractOf("memory"))

/** Runs the contract tests of the store of people on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("people", contractOf("people"))

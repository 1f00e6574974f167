/** Runs the contract tests of the store that keeps the history of records, on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the history of records", contractOf("recordHistory"))

/** Runs the contract tests of the stores of public data on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("public data", contractOf("projections"))

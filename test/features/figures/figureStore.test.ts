/** Runs the contract tests of the store of figures on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("statistics of the records and events of a caller", contractOf("figures"))

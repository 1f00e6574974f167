/** Runs the contract tests of the store of deliveries on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("deliveries", contractOf("deliveries"))

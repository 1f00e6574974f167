/** Runs the contract suite of the store of firings (starts of rules) on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("planned and finished runs of automation rules", contractOf("automations"))

/** The store of firings (starts of rules) on each engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("planned and finished runs of automation rules", contractOf("automations"))

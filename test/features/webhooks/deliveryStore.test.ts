/** The store of deliveries on each engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("deliveries", contractOf("deliveries"))

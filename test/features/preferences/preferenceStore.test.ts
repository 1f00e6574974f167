/** The store of preferences on each engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("preferences", contractOf("preferences"))

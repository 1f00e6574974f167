/** The reader of reactive events on each engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("reactive events", contractOf("reactiveEvents"))

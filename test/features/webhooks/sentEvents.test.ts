/** The reader of sent events on each engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("sent events", contractOf("deliveries"))

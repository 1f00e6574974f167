/** Runs the contract of the reader of sent events on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("sent events", contractOf("deliveries"))

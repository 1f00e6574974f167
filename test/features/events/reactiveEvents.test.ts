/** Runs the contract of the reader of reactions to events on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("reactive events", contractOf("reactiveEvents"))

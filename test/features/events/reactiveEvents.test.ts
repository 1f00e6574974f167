/** Runs the contract suite of `ReactiveEvents`, the store that lists reactions to events, on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("reactions to events", contractOf("reactiveEvents"))

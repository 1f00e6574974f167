/** Runs the contract suite of `SentEvents`, the store that lists events sent to webhooks, on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("sent events", contractOf("deliveries"))

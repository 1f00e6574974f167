/** Runs the contract tests of the store of calls to webhooks on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("webhook calls", contractOf("webhookCalls"))

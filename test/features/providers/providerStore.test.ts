/** Runs the contract tests of the store that records the active model provider, on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the active model provider", contractOf("providers"))

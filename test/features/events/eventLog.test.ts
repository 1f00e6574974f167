/** Runs the contract tests of the event log on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the event log", contractOf("events"))

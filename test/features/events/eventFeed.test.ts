/** Runs the contract tests of the readers of the event log on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachDatabase, onEachEngine } from "../../support/stores.ts"
import { movedContract } from "./eventFeed.contract.ts"

onEachEngine("the event feed", contractOf("eventFeed"))
onEachDatabase("the check for changes by other pods", movedContract)

/** The event log on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { eventLogContract } from "./eventLog.contract.ts"

onEachEngine("the event log", eventLogContract)

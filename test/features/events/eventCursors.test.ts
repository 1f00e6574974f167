/** Runs the contract tests of the store that records how far each event consumer has read, on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("cursors of the event log", contractOf("eventCursors"))

/** Runs the contract tests of the cursors of event consumers on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("cursors of the event log", contractOf("eventCursors"))

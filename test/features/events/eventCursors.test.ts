/** The cursors of consumers of the log on each engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("cursors of the log", contractOf("eventCursors"))

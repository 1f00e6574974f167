/** Runs the contract suite of the store of calendar feeds on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("calendar feeds", contractOf("calendars"))

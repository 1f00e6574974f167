/** The store of calendar feeds on each engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("calendar feeds", contractOf("calendars"))

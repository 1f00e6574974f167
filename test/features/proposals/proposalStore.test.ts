/** The stores of proposals on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("proposals", contractOf("proposals"))

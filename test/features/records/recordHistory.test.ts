/** The stores of the history of records on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the history of records", contractOf("recordHistory"))

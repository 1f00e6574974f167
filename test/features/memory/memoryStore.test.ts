/** The stores of memory facts on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("memory facts", contractOf("memory"))

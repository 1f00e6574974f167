/** The stores of discovery on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("discovery", contractOf("discovery"))

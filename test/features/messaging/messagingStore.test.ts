/** The stores of an inbox on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the inbox", contractOf("messaging"))

/** The stores of accounts on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("accounts", contractOf("accounts"))

/** Runs the contract tests of the account store on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("accounts of people", contractOf("accounts"))

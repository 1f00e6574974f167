/** Runs the contract tests of the inbox store on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the inbox", contractOf("messaging"))

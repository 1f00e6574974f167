/** Runs the contract tests of the key store on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("keys", contractOf("keys"))

/** Runs the contract tests of the relation store on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("relations", contractOf("relations"))

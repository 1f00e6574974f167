/** Runs the contract tests of the entity store on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("entities", contractOf("entities"))

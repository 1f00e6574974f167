/** Runs the contract of the store that finds namesakes (entities of the same name) on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("entities of the same name", contractOf("identity"))

/** Runs, on every storage engine, the contract suite of the store that finds namesakes (entities of the same name). */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("entities of the same name", contractOf("identity"))

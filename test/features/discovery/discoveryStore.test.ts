/** Runs the contract suite of the store that counts filled properties, on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("discovery", contractOf("discovery"))

/** Runs the contract suite of the store of rankings on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("rankings", contractOf("centrality"))

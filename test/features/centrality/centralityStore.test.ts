/** The stores of rankings on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("rankings", contractOf("centrality"))

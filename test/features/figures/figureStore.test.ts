/** The store of figures on each engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("figures", contractOf("figures"))

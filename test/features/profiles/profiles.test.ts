/** Runs, on every storage engine, the contract suite of the stores that read profiles. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("profiles", contractOf("profiles"))

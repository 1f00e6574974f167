/** Runs the contract of the stores that read profiles on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("profiles", contractOf("profiles"))

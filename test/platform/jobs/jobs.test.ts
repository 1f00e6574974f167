/** Runs the contract suite of jobs on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("jobs", contractOf("jobs"))

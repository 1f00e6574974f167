/** Runs the contract tests of the store of vectors on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("vectors of passages", contractOf("vectors"))

/**
 * Runs, on every storage engine, the contract tests of the store that counts, for each property, how many entities have
 * a value.
 */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("discovery", contractOf("discovery"))

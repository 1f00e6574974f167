/** Runs the contract suite of the store that records the calls of keys, on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the use of keys", contractOf("usage"))

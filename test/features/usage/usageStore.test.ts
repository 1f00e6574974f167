/** Runs the contract of the store of the use of keys on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the use of keys", contractOf("usage"))

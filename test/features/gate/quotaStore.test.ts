/** Runs the contract tests of the store that counts the records of an owner, on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the number of the records of an owner", contractOf("quotas"))

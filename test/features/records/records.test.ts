/** The stores of records on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { recordPagesContract } from "./recordPages.contract.ts"
import { recordReachContract } from "./recordReach.contract.ts"
import { recordsContract } from "./records.contract.ts"

onEachEngine("records", (stores) => {
  recordReachContract(stores)
  recordsContract(stores)
  recordPagesContract(stores)
})

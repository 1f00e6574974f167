/** The stores of proposals on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { proposalStoreContract } from "./proposalStore.contract.ts"
import { settlingContract } from "./settling.contract.ts"

onEachEngine("proposals", (stores) => {
  proposalStoreContract(stores)
  settlingContract(stores)
})

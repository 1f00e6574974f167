/** The stores of entities on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { entityHistoryContract } from "./entityHistory.contract.ts"
import { entityReachContract } from "./entityStore.contract.ts"

onEachEngine("entities", (stores) => {
  entityReachContract(stores)
  entityHistoryContract(stores)
})

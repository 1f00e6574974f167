/** The stores of people on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { peopleStoreContract } from "./peopleStore.contract.ts"

onEachEngine("people", peopleStoreContract)

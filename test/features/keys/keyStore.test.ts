/** The stores of keys on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { keyStoreContract } from "./keyStore.contract.ts"

onEachEngine("keys", keyStoreContract)

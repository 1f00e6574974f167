/** The stores of accounts on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { accountStoreContract } from "./accountStore.contract.ts"

onEachEngine("accounts", accountStoreContract)

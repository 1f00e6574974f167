/** The stores of policies on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { policyStoreContract } from "./policyStore.contract.ts"

onEachEngine("policies", policyStoreContract)

/** The stores of the progress of new workspaces on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the progress of new workspaces", contractOf("provisioning"))

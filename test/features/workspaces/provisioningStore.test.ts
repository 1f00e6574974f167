/** Runs the contract of the store of the progress of new workspaces on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the progress of new workspaces", contractOf("provisioning"))

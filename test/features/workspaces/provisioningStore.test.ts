/**
 * Runs, on every storage engine, the contract tests of the store that records how far the creation of a workspace has
 * come.
 */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the progress of new workspaces", contractOf("provisioning"))

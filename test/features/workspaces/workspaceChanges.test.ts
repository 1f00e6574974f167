/**
 * Runs, on every storage engine, the contract suites of the stores for the settings, the members and the creation of
 * workspaces.
 */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("changes of stored workspaces", contractOf("workspaceChanges"))

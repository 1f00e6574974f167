/**
 * Runs the contracts of the stores for the settings, the members and the creation of workspaces on every storage
 * engine.
 */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("changes of stored workspaces", contractOf("workspaceChanges"))

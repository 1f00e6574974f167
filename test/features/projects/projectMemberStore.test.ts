/** Runs the contract of the store of entities in projects on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("entities in projects", contractOf("projectMembers"))

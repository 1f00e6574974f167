/**
 * Runs the contract suite of `ProjectMemberStore`, the store that records which entities are in projects, on every
 * engine.
 */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("entities in projects", contractOf("projectMembers"))

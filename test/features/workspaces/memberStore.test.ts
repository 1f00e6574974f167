/** Runs the contract tests of the store of memberships on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("memberships of agents", contractOf("members"))

/** Runs the contract tests of the store of a person's own sign-ins on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("a person's own sessions", contractOf("ownSessions"))

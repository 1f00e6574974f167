/** Runs the contract tests of the invitation store on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("invitations", contractOf("invitations"))

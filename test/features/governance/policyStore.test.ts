/** Runs the contract tests of the policy store on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("policies for agents", contractOf("policies"))

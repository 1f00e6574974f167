/** Runs the contract tests of the store of vaults on each storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("stored vaults", contractOf("vaults"))
onEachEngine("the data keys of vaults", contractOf("vaultKeys"))

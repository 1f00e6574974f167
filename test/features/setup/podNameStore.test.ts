/** Runs the contract tests of the store of the pod's name on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the name of the pod", contractOf("podName"))

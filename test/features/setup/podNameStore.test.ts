/** Runs the contract tests of the store that keeps the name of the pod, on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("the name of the pod", contractOf("podName"))

/** The stores of digests on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("digests", contractOf("digests"))

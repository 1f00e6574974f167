/** The stores that read profiles on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("profiles", contractOf("profiles"))

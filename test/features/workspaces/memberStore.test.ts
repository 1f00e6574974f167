/** The stores of memberships of agents on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("memberships of agents", contractOf("members"))

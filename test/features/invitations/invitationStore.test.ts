/** The stores of invitations on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("invitations", contractOf("invitations"))

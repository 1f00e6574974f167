/** The stores of a person's own sign-ins on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("own sessions", contractOf("ownSessions"))

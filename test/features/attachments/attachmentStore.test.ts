/** The stores of attachments on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("attachments", contractOf("attachments"))

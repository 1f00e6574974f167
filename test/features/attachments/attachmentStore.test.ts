/** Runs the contract suite of the store of attachments on every storage engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("attachments", contractOf("attachments"))

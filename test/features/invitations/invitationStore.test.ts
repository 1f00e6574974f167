/** The stores of invitations on every engine. */
import { onEachEngine } from "../../support/stores.ts"
import { invitationStoreContract } from "./invitationStore.contract.ts"

onEachEngine("invitations", invitationStoreContract)

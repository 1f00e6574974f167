/** The door of retrieval: its answers mix records of several kinds. */
import { everyKind } from "../../doors/Door.ts"

export const retrievalDoor = everyKind("hub-protocol.read", ["entity", "facet", "document", "memory", "proposal"])

/** The door of retrieval. It names several subjects, because an answer can have records of several types. */
import { everyKind, type Subject } from "../../doors/Door.ts"

const subjects = ["entity", "facet", "document", "memory", "proposal"] as const satisfies ReadonlyArray<Subject>

export const retrievalDoor = everyKind("hub-protocol.read", subjects, { isRowBounded: true })
export const toolDoor = everyKind("mcp.read", subjects, { isRowBounded: true })

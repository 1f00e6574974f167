/** The door of retrieval: its answers mix records of several kinds. */
import { everyKind, type Subject } from "../../doors/Door.ts"

const subjects = ["entity", "facet", "document", "memory", "proposal"] as const satisfies ReadonlyArray<Subject>

export const retrievalDoor = everyKind("hub-protocol.read", subjects, { isRowBounded: true })
export const toolDoor = everyKind("mcp.read", subjects, { isRowBounded: true })

/**
 * The permissions that the operations of retrieval require. Each operation names several subjects, because an answer
 * can have records of several types.
 */
import { everyKind, type Subject } from "../../doors/Door.ts"

/** The subjects of the records that an answer can have. */
export const retrievedSubjects = [
  "entity",
  "facet",
  "document",
  "memory",
  "proposal"
] as const satisfies ReadonlyArray<Subject>

export const retrievalDoor = everyKind("hub-protocol.read", retrievedSubjects, { isRowBounded: true })
export const toolDoor = everyKind("mcp.read", retrievedSubjects, { isRowBounded: true })

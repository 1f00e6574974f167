/** A record as one write left it, and where revisions are kept in memory. */
import type { DateTime } from "effect"
import { type MemoryTable, memoryTable } from "../../platform/MemoryDatabase.ts"
import type { Common, Own } from "./RecordType.ts"

export interface Revision<A extends Common> {
  readonly recordId: string
  /** The version that the write made. */
  readonly version: number
  /** Who wrote it: the agent, also where a person approved what it had proposed. */
  readonly actorId: string
  /** The event that tells of the write. What the write followed from, such as an approval, is that event's cause. */
  readonly eventId: string
  readonly at: DateTime.Utc
  readonly fields: Own<A>
}

/** The revisions of a type in memory, by the table that the type names for them. */
export const revisionTable = (history: string): MemoryTable<Revision<Common>> =>
  memoryTable(history, ({ eventId }) => eventId)

/** A revision: a record after one write; and the table of revisions in memory. */
import type { DateTime } from "effect"
import { type MemoryTable, memoryTable } from "../../platform/MemoryDatabase.ts"
import type { Common, OwnFields } from "./RecordType.ts"

export interface Revision<A extends Common> {
  readonly recordId: string
  /** The version that the write made. */
  readonly version: number
  /** The author: the agent, even if a person approved its proposal. */
  readonly actorId: string
  /** The event of the write. What caused the write, such as an approval, is the cause of that event. */
  readonly eventId: string
  readonly at: DateTime.Utc
  readonly fields: OwnFields<A>
}

/** The revisions of a type in memory. In: the name of the type's table of revisions. */
export const revisionTable = (history: string): MemoryTable<Revision<Common>> =>
  memoryTable(history, ({ eventId }) => eventId)

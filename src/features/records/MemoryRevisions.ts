/** Revisions, and the in-memory tables of revisions. A revision is a record as it was after one write. */
import type { DateTime } from "effect"
import { type MemoryTable, memoryTable } from "../../platform/MemoryDatabase.ts"
import type { Common, OwnFields } from "./RecordType.ts"

export interface Revision<A extends Common> {
  readonly recordId: string
  /** The version of the record after the write. */
  readonly version: number
  /** The author of the write. If a person approved an agent's proposal, this is the agent. */
  readonly actorId: string
  /**
   * The id of the event of the write. If another event caused this write, such as an approval, the event log names the
   * other event as the cause.
   */
  readonly eventId: string
  readonly at: DateTime.Utc
  readonly fields: OwnFields<A>
}

/**
 * Makes the in-memory table for the revisions of a record type. `history` is the name of the type's table of revisions.
 */
export const revisionTable = (history: string): MemoryTable<Revision<Common>> =>
  memoryTable(history, ({ eventId }) => eventId)

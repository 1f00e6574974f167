/**
 * Notes which records the answer to a write shows with fields that its caller did not send. If the caller repeats the
 * request with its idempotency key, the pod shows the stored answer only if the caller still reads these records.
 */
import { Context, Effect, Layer } from "effect"
import { callOf } from "./BeforeAnswer.ts"
import { type Authority, Reach } from "./Reach.ts"

export interface ShownRecord {
  /** The type of the record, under which its reader is registered. */
  readonly type: string
  readonly id: string
}

/** The noted records of each call whose answer the pod stores. Other calls note nothing. */
const shownRecords = new WeakMap<Authority, Array<ShownRecord>>()

/** Begins to note the records that a call shows. Returns the list to which the notes are added. */
export const collectShown = (authority: Authority): ReadonlyArray<ShownRecord> => {
  const call = callOf(authority)
  const shown = shownRecords.get(call) ?? []
  shownRecords.set(call, shown)
  return shown
}

/** Returns true if the caller reads the record with this id now. */
type RecordReader = (id: string) => Effect.Effect<boolean, never, Reach>

export class RecordReaders extends Context.Tag("pod/RecordReaders")<
  RecordReaders,
  {
    /** Registers how the pod reads one record of a type within the reach of a call. */
    readonly register: (type: string, reader: RecordReader) => void
    /**
     * Notes that the answer of the call shows this record, if the pod stores the answer and the caller reads the record
     * now. A service notes a record before it writes, because a write can change the access of its own caller.
     */
    readonly note: (type: string, id: string) => Effect.Effect<void, never, Reach>
    /** Returns true if the caller reads all of these records now. */
    readonly readsAll: (records: ReadonlyArray<ShownRecord>) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const readers = new Map<string, RecordReader>()
    const reads = ({ id, type }: ShownRecord) => readers.get(type)?.(id) ?? Effect.succeed(false)
    return {
      register: (type, reader) => void readers.set(type, reader),
      note: (type, id) =>
        Effect.flatMap(Reach, ({ authority }) => {
          const shown = shownRecords.get(callOf(authority))
          return shown === undefined
            ? Effect.void
            : Effect.map(reads({ type, id }), (isRead) => void (isRead && shown.push({ type, id })))
        }),
      readsAll: (records) => Effect.map(Effect.filter(records, reads), (read) => read.length === records.length)
    }
  })
}

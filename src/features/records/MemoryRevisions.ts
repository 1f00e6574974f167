/** What the memory twins keep of the revisions of records: written with each record, read by its history. */
import { Context, type DateTime, Effect, Layer, Ref } from "effect"
import type { Common, Own } from "./RecordType.ts"

/** A record as one write left it. */
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

/** As the twin keeps it. */
export interface KeptRevision extends Revision<Common> {
  readonly table: string
}

export class MemoryRevisions extends Context.Tag("pod/MemoryRevisions")<
  MemoryRevisions,
  Ref.Ref<ReadonlyArray<KeptRevision>>
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => Ref.make<ReadonlyArray<KeptRevision>>([]))
  )
}

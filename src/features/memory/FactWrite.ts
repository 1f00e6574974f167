/** The rows of a write of memory facts. */
import { DateTime } from "effect"
import type { FactRevision, KeptFact } from "./MemoryFact.ts"
import type { PackedVector } from "../search/vectors/PackedVector.ts"

/** The state of a new or changed fact after a write. */
export interface FactRow extends Omit<
  KeptFact,
  "seq" | "userId" | "actorId" | "createdAt" | "updatedAt" | "validFrom" | "validTo"
> {
  readonly isNew: boolean
  readonly isEnded: boolean
  /**
   * The time at which the fact ends. If this time is null or later than the write, the store uses the time of the
   * write. A fact that ended before this write keeps the earlier time.
   */
  readonly endsAt: DateTime.Utc | null
  /** The time from which the fact is valid. Null means the time when the pod records it. */
  readonly validFrom: DateTime.Utc | null
}

export interface RevisionRow extends Pick<
  FactRevision,
  "factId" | "what" | "fact" | "trust" | "reason" | "supersededBy" | "sourceEntityId" | "sourceMessageId"
> {
  readonly lineage: string
  /**
   * If somebody writes a fact that already exists, the pod stores no new fact and raises the count of the existing
   * fact. The revision then has in `writtenAs` the id that the new fact would have got. Null in all other revisions.
   */
  readonly writtenAs: string | null
}

/** The rows of a write. `known` is the number of the latest write that the pod had read when it planned this write. */
export interface FactWrite {
  readonly known: number
  readonly facts: ReadonlyArray<FactRow>
  readonly revisions: ReadonlyArray<RevisionRow>
  /** The vector that the caller sent, and the facts to which the vector belongs. Null if the caller sent no vector. */
  readonly vector: { readonly packed: PackedVector; readonly factIds: ReadonlyArray<string> } | null
}

/** Who applies a change: each feature says once how its records are written, for direct writes and approvals alike. */
import { Context, Effect, Layer } from "effect"
import type { Failure } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { Change, GatedWrite, Json, Snapshot } from "./Write.ts"

/** A change that passed the gate or was approved. `restore` takes a delete back. */
export type AppliedChange = Omit<Change, "action"> & {
  readonly action: Change["action"] | "restore"
  /** The version it must still be at; null to write over whatever is there. */
  readonly expectedVersion: number | null
}

/** What a caller reads of some kind of record: how much of it where, and the latest few. */
export interface Overview {
  readonly counts: ReadonlyArray<{
    readonly kind: string | null
    readonly workspaceId: string | null
    readonly count: number
  }>
  readonly samples: ReadonlyArray<{
    readonly id: string
    readonly title: string
    readonly kind: string | null
    readonly workspaceId: string | null
  }>
}

export interface Changer {
  /** Left out where nothing is to be counted. `most`: of the samples. */
  readonly overview?: (most: number) => Effect.Effect<Overview, never, Reach>
  /** The record as it stands now in that space; null where the caller does not reach it. */
  readonly current: (targetId: string, spaceId: string) => Effect.Effect<Snapshot | null, never, Reach>
  /** Writes it with its event. Fails with Conflict when the version moved on, NotFound when the record is gone. */
  readonly apply: (change: AppliedChange) => Effect.Effect<Snapshot | null, Failure, Reach>
  /** What the gate has to know of a change that an agent files by hand. */
  readonly describe: (
    action: Change["action"],
    targetId: string,
    content: Json,
    spaceId: string
  ) => Effect.Effect<
    Pick<Change, "subject" | "kind" | "object" | "summary" | "isForPeople" | "isPrivate">,
    Failure,
    Reach
  >
  /** The fields under which `content` may name something: an edit of a proposal is checked against it. */
  readonly check: (change: Change) => Effect.Effect<void, Failure, Reach>
  /** What a change writes besides. */
  readonly also?: (change: Change) => ReadonlyArray<GatedWrite>
  /** What cannot be taken back says why. */
  readonly irreversible?: string
}

export class Changers extends Context.Tag("pod/Changers")<
  Changers,
  {
    /** Twice for one target type is a defect at start. */
    readonly register: (targetType: string, changer: Changer) => Effect.Effect<void>
    readonly of: (targetType: string) => Changer | undefined
    readonly all: () => ReadonlyArray<readonly [targetType: string, changer: Changer]>
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const changers = new Map<string, Changer>()
    return {
      register: (targetType: string, changer: Changer) =>
        changers.has(targetType)
          ? Effect.dieMessage(`${targetType} has two changers`)
          : Effect.sync(() => void changers.set(targetType, changer)),
      of: (targetType: string) => changers.get(targetType),
      all: () => [...changers]
    }
  })
}

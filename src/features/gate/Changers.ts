/**
 * Who applies changes. Each feature says once what a change of its records is and how it is written; direct writes, filings
 * by hand, edits, approvals and reverts all go through that.
 */
import { Context, Effect, Layer } from "effect"
import { type ChangeRefusal, Conflict, type WriteRefusal } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { GovernanceGate } from "./GovernanceGate.ts"
import type { Passed } from "./Passed.ts"
import type { Asked, Change, Described, Json, Snapshot, Traits } from "./Write.ts"

/**
 * When a content is checked. What it names must be there for whoever `asks`; at an approval only the space of the change is
 * in reach, and it was looked up when it was asked for. What is `proposed` is compared with nothing by a statement, and an
 * approval is not made twice: for both everything remembered is looked up anew.
 */
export type Moment = "asked" | "proposed" | "approved"

/** A content as it may be written, with its defaults, and the stamp of the schema it was held to. */
export interface Checked {
  readonly content: Json
  readonly schemaStamp?: number | null
  /** The ids of what it makes, where these are given only then: what is listed by when it happened has no id before. */
  readonly made?: ReadonlyArray<string>
}

/** A change that was let through. `restore` takes a delete back. */
export type AppliedChange = Omit<Change, "action"> &
  Checked & {
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

/** `A`: what a write answers. */
export interface Changer<A = unknown> {
  /** What no write of it has to say for itself. */
  readonly traits: Traits
  /** Left out where nothing is to be counted. `most`: of the samples. */
  readonly overview?: (most: number) => Effect.Effect<Overview, never, Reach>
  /** The record as it stands now in that space (null: wherever it is); null where the caller does not reach it there. */
  readonly current: (targetId: string, spaceId: string | null) => Effect.Effect<Snapshot | null, never, Reach>
  /**
   * The one function that makes kind, object, projects, privacy, summary, what is written besides and base of a change from
   * its content and from the rows as they stand. NotFound where the record is out of reach.
   */
  readonly describe: (asked: Asked) => Effect.Effect<Described, WriteRefusal, Reach>
  /** Holds the content to the rules of its records. */
  readonly check: (change: Change, moment: Moment) => Effect.Effect<Checked, ChangeRefusal, Reach>
  /** Writes it with its event. Fails with Conflict when the version moved on, NotFound when the record is gone. */
  readonly apply: (change: AppliedChange, passed: Passed) => Effect.Effect<A, ChangeRefusal, Reach>
  /** What cannot be taken back says why. */
  readonly irreversible?: string
}

/** What is said of a write beside its content. */
export interface Circumstances {
  /** For the person who decides on it, when it has to be decided. */
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  /** A version that moved on is a conflict. */
  readonly expectedVersion?: number | undefined
  readonly isForced?: boolean | undefined
  readonly isSuggestion?: boolean | undefined
}

/** Describes, refuses, checks, asks the gate and writes: the only way from a request to a row. */
export type Writer<A> = (
  asked: Asked,
  circumstances?: Circumstances,
  /** Asked once nothing speaks against the write: an answer, such as the same record that is there already, ends it. */
  found?: (checked: Checked) => Effect.Effect<A | undefined, WriteRefusal | Proposed, Reach>
) => Effect.Effect<A, WriteRefusal | Proposed, Reach>

export class Changers extends Context.Tag("pod/Changers")<
  Changers,
  {
    /** Twice for one target type is a defect at start. */
    readonly register: (targetType: string, changer: Changer) => Effect.Effect<void>
    readonly of: (targetType: string) => Changer | undefined
    readonly all: () => ReadonlyArray<readonly [targetType: string, changer: Changer]>
    /** Says what holds of writes that are never put before a person, and so have no changer. Answers the same. */
    readonly declare: <T extends Traits>(targetType: string, traits: T) => Effect.Effect<T>
    /** What holds of the writes of every type, with a changer or without. */
    readonly traits: () => ReadonlyMap<string, Traits>
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const changers = new Map<string, Changer>()
    const known = new Map<string, Traits>()
    const declare = <T extends Traits>(targetType: string, traits: T) =>
      known.has(targetType)
        ? Effect.dieMessage(`${targetType} has two changers`)
        : Effect.as(
            Effect.sync(() => void known.set(targetType, traits)),
            traits
          )
    return {
      register: (targetType: string, changer: Changer) =>
        Effect.map(declare(targetType, changer.traits), () => void changers.set(targetType, changer)),
      of: (targetType: string) => changers.get(targetType),
      all: () => [...changers],
      declare,
      traits: () => known
    }
  })
}

/** Registers a changer and answers how its records are written directly. */
export const writerOf = <A>(
  targetType: string,
  changer: Changer<A>
): Effect.Effect<Writer<A>, never, Changers | GovernanceGate> =>
  Effect.gen(function* () {
    const changers = yield* Changers
    const gate = yield* GovernanceGate
    yield* changers.register(targetType, changer)
    return (asked, circumstances = {}, found) =>
      Effect.gen(function* () {
        const { expectedVersion, ...said } = circumstances
        const change: Change = { ...(yield* changeOf(targetType, changer, asked)), ...said }
        yield* gate.refuse(change)
        const { principal } = yield* Reach
        const { verdict } = yield* gate.judge(principal, change)
        const checked = yield* changer.check(change, verdict === "propose" ? "proposed" : "asked")
        const known = found === undefined ? undefined : yield* found(checked)
        if (known !== undefined) return known
        const { base } = change
        if (expectedVersion !== undefined && base !== null && base.version !== expectedVersion) {
          return yield* new Conflict({
            code: "VERSION_CONFLICT",
            why: `The ${targetType.replaceAll("_", " ")} is at version ${base.version} by now.`
          })
        }
        const ready = { ...change, ...checked }
        const passed = yield* gate.pass(ready)
        return yield* changer.apply({ ...ready, expectedVersion: expectedVersion ?? null }, passed)
      }).pipe(
        // Only a kept change can be one that its records do not know: a door that opened such a write is a defect.
        Effect.catchTag("NotImplemented", ({ why }) => Effect.dieMessage(why))
      )
  })

/** The whole change that is asked for, as its changer describes it. */
export const changeOf = (
  targetType: string,
  {
    describe,
    traits: { isDirect = false, isForPeople = false, kind = null, subject }
  }: Pick<Changer, "describe" | "traits">,
  asked: Asked
): Effect.Effect<Change, WriteRefusal, Reach> =>
  Effect.map(describe(asked), (described) => ({
    kind,
    ...described,
    subject,
    isDirect,
    isForPeople,
    action: asked.action,
    targetId: asked.targetId,
    targetType
  }))

/** Records behind the gate: what every feature of plain records does, said once. */
import { Effect, Option } from "effect"
import { Conflict, type Failure, type Forbidden, Invalid, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { strictly } from "../../doors/Faults.ts"
import { Reach } from "../../doors/Reach.ts"
import { isUniqueViolation } from "../../platform/Database.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import type { GrantObject } from "../grants/GrantMatcher.ts"
import { type AppliedChange, Changers } from "../governance/Changers.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { Change } from "../governance/Write.ts"
import { spaceNamed } from "../workspaces/WorkspaceAccess.ts"
import { type Listing, Records } from "./Records.ts"
import { type Common, jsonOf, type Own, type Patch, type RecordType } from "./RecordType.ts"

/** The code of a conflict with something that has the same name or key. */
export const alreadyThere = "ALREADY_THERE"

/** What is said of a write beside its fields. */
export interface Circumstances {
  /** For the person who decides on it, when it has to be decided. */
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  /** A version that moved on is a conflict. */
  readonly expectedVersion?: number | undefined
  readonly isForced?: boolean | undefined
  readonly isSuggestion?: boolean | undefined
}

export type WriteFailure = Forbidden | Proposed | NotFound | Conflict | Invalid

export interface Governed<A extends Common> {
  readonly list: (
    listing: Omit<Listing<A>, "spaces"> & { readonly workspaceId?: string | undefined }
  ) => Effect.Effect<Page<A>, Forbidden, Reach>
  readonly get: (id: string) => Effect.Effect<A, NotFound, Reach>
  readonly create: (
    draft: {
      /** Chosen beforehand where something else has to name it already. */
      readonly id?: string
      readonly workspaceId?: string | null | undefined
      readonly fields: Own<A>
    } & Circumstances
  ) => Effect.Effect<A, WriteFailure, Reach>
  /** Refuses whoever could make none there, before anything is looked up for them. */
  readonly mayCreate: (workspaceId: string | null | undefined) => Effect.Effect<void, Forbidden, Reach>
  readonly update: (
    id: string,
    fields: Patch<A>,
    circumstances?: Circumstances
  ) => Effect.Effect<A, WriteFailure, Reach>
  readonly remove: (id: string, circumstances?: Circumstances) => Effect.Effect<A, WriteFailure, Reach>
}

export interface GovernedOptions<A extends Common> {
  /** What must hold of the fields before they are written, directly or by an approval. */
  readonly check?: (
    fields: Partial<Own<A>>,
    change: Pick<Change, "action" | "targetId" | "object">
  ) => Effect.Effect<void, Invalid | Conflict | NotFound | Forbidden, Reach>
  /** Only people write these. */
  readonly isForPeople?: boolean
  /** An agent's write is carried out and recorded rather than proposed, unless it destroys. */
  readonly isDirect?: boolean
}

/** Without the fields that are not named. */
const named = <A extends Common>(patch: Patch<A>): Partial<Own<A>> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<Own<A>>

const objectIn = (personId: string, spaceId: string, objectId: string | null): GrantObject => ({
  spaceId,
  isPersonal: spaceId === personId,
  objectId,
  projectIds: []
})

const isPrivate = <A extends Common>(
  { visibility }: RecordType<A>,
  fields: Readonly<Record<string, unknown>>
): boolean => visibility !== "space" && (visibility === "own" || fields[visibility.field] === visibility.own)

const verbs = { create: "Create", update: "Change", delete: "Delete" }

/** Registers the type's changer and answers its operations. Made once, by the feature's service. */
export const governing = <A extends Common>(
  type: RecordType<A>,
  options: GovernedOptions<A> = {}
): Effect.Effect<Governed<A>, never, Records | GovernanceGate | Changers> =>
  Effect.gen(function* () {
    const records = yield* Records
    const gate = yield* GovernanceGate
    const changers = yield* Changers
    const decode = strictly(type.content)
    /** What the gate has to know of any write of the type, however it comes. */
    const asking = { subject: type.subject, kind: null, isForPeople: options.isForPeople === true }
    const absent = new NotFound({ why: `There is no such ${type.name}.` })
    const taken = Effect.fail(
      new Conflict({ code: alreadyThere, why: `There is a ${type.name} of this name or key by now.` })
    )
    const moved = ({ version }: { readonly version: number }) =>
      Effect.fail(new Conflict({ code: "VERSION_CONFLICT", why: `The ${type.name} is at version ${version} by now.` }))

    const fieldsOf = ({ content }: Pick<Change, "content">) => decode(content)

    /** A create that an agent files by hand says every field: the columns have no defaults. */
    const whole = ({ action, content }: Pick<Change, "action" | "content">) => {
      const missing = action === "create" ? type.fields.filter((field) => !Object.hasOwn(content, field)) : []
      return missing.length === 0
        ? Effect.void
        : Effect.fail(new Invalid({ faults: missing.map((path) => ({ path, message: "is missing" })) }))
    }

    const checked = (fields: Partial<Own<A>>, change: Pick<Change, "action" | "targetId" | "object">) =>
      options.check === undefined ? Effect.void : options.check(fields, change)

    const write = (change: AppliedChange, fields: Partial<Own<A>>): Effect.Effect<A, NotFound | Conflict, Reach> => {
      const { action, expectedVersion, object, targetId } = change
      const event = {
        type: `${type.name}.${action}`,
        subjectId: targetId,
        // Events are handed on to others in the space: what one person alone may read is not named in them.
        data: {
          type: type.name,
          ...(type.visibility === "space" ? { title: type.title(fields) } : {}),
          fields: Object.keys(fields)
        }
      }
      const written =
        action === "create"
          ? records.add(type, { id: targetId, spaceId: object.spaceId, fields: fields as Own<A> }, event)
          : action === "update"
            ? records.change(type, targetId, fields, expectedVersion, event)
            : action === "delete"
              ? records.remove(type, targetId, expectedVersion, event)
              : records.restore(type, targetId, event)
      return Effect.catchTags(written, { RecordNotFound: () => Effect.fail(absent), RecordChanged: moved }).pipe(
        // Two at once, or the name was taken while this one was away: the database keeps the first.
        Effect.catchSomeDefect((defect) => (isUniqueViolation(defect) ? Option.some(taken) : Option.none()))
      )
    }

    const placed = (id: string, action: "update" | "delete") =>
      Effect.catchTag(records.place(type, id, action), "RecordNotFound", () => Effect.fail(absent))

    yield* changers.register(type.name, {
      current: (id) =>
        records.get(type, id).pipe(
          Effect.map((record) => ({ version: record.version, fields: jsonOf(type, record) })),
          Effect.catchTag("RecordNotFound", () => Effect.succeed(null))
        ),
      apply: (change): Effect.Effect<{ version: number; fields: Record<string, unknown> }, Failure, Reach> =>
        Effect.flatMap(fieldsOf(change), (fields) =>
          Effect.zipRight(
            change.action === "restore" ? Effect.void : checked(fields, { ...change, action: change.action }),
            Effect.map(write(change, fields), (record) => ({
              version: record.version,
              fields: jsonOf(type, record)
            }))
          )
        ),
      overview: (most) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const counted = yield* records.tally(type)
          const { items: samples } = yield* records.list(type, { limit: most })
          return {
            counts: counted.map(({ count, spaceId }) => ({
              kind: null,
              workspaceId: spaceId === principal.personId ? null : spaceId,
              count
            })),
            samples: samples.map((record) => ({
              id: record.id,
              title: type.title(record),
              kind: null,
              workspaceId: record.workspaceId
            }))
          }
        }),
      describe: (action, targetId, content, named) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const found = action === "create" ? undefined : yield* placed(targetId, action)
          const spaceId = found?.spaceId ?? named
          const title = type.title(content as Partial<Own<A>>) || targetId
          return {
            ...asking,
            isPrivate: isPrivate(type, { ...found?.record, ...content }),
            object: objectIn(principal.personId, spaceId, action === "create" ? null : targetId),
            summary: `${verbs[action]} ${type.name} “${title}”`
          }
        }),
      check: (change) =>
        whole(change).pipe(
          Effect.zipRight(fieldsOf(change)),
          Effect.flatMap((fields) => checked(fields, change))
        )
    })

    /** What does not exist yet, in the named space or the person's own. */
    const newIn = (workspaceId: string | null | undefined) =>
      Effect.map(Reach, ({ principal }) => objectIn(principal.personId, workspaceId ?? principal.personId, null))

    /** Gate, then write: the only way from a request to a row. */
    const governed = (
      change: Omit<Change, "content" | "subject" | "kind" | "targetType" | "summary">,
      fields: Partial<Own<A>>,
      title: string,
      circumstances: Circumstances
    ) =>
      Effect.gen(function* () {
        const asked = { ...change, ...asking }
        yield* gate.refuse(asked)
        yield* checked(fields, change)
        yield* gate.pass({
          ...asked,
          targetType: type.name,
          content: jsonOf(type, fields),
          isPrivate: isPrivate(type, { ...change.base?.fields, ...fields }),
          summary: `${verbs[change.action]} ${type.name} “${title}”`,
          reasoning: circumstances.reasoning,
          sessionId: circumstances.sessionId,
          isForced: circumstances.isForced === true,
          isSuggestion: circumstances.isSuggestion === true,
          isDirect: options.isDirect === true
        })
        const applied = { ...change, expectedVersion: circumstances.expectedVersion ?? null }
        return yield* write(applied as AppliedChange, fields)
      })

    const existing = (id: string, action: "update" | "delete", fields: Partial<Own<A>>, said: Circumstances) =>
      Effect.gen(function* () {
        const { principal } = yield* Reach
        const { record, spaceId } = yield* placed(id, action)
        const object = objectIn(principal.personId, spaceId, id)
        const base = { version: record.version, fields: jsonOf(type, record) }
        return yield* governed({ action, object, targetId: id, base }, fields, type.title(record), said)
      })

    return {
      list: ({ workspaceId, ...listing }) =>
        workspaceId === undefined
          ? records.list(type, listing)
          : Effect.flatMap(spaceNamed(workspaceId), (spaceId) =>
              records.list(type, { ...(listing as Listing<A>), spaces: [spaceId] })
            ),
      get: (id) => Effect.catchTag(records.get(type, id), "RecordNotFound", () => Effect.fail(absent)),
      create: ({ fields, id = uuidv7(), workspaceId, ...circumstances }) =>
        Effect.gen(function* () {
          const change = { action: "create" as const, object: yield* newIn(workspaceId), targetId: id, base: null }
          return yield* governed(change, fields, type.title(fields), circumstances)
        }),
      mayCreate: (workspaceId) =>
        Effect.flatMap(newIn(workspaceId), (object) => gate.refuse({ ...asking, action: "create", object })),
      update: (id, fields, circumstances = {}) => existing(id, "update", named(fields), circumstances),
      remove: (id, circumstances = {}) => existing(id, "delete", {}, circumstances)
    }
  })

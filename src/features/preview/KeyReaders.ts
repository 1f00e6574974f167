/**
 * Finds which keys of a person can get the content of one record now, by a read or in the answer to an update. The
 * result is the same as for real calls with these keys, because the same code decides about real calls.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { Catalog } from "../../doors/Catalog.ts"
import type { Cursor } from "../../doors/Cursor.ts"
import type { Door, Subject } from "../../doors/Door.ts"
import { invalid, type Invalid, NotFound } from "../../doors/Failure.ts"
import type { Operation } from "../../doors/Operation.ts"
import type { Page } from "../../doors/Page.ts"
import { byCreation, type PageOrder, pageOfSorted } from "../../doors/PageOrder.ts"
import type { Principal } from "../../doors/Principal.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { operationRefusal } from "../access/Admission.ts"
import { type Changer, Changers } from "../gate/Changers.ts"
import { boundsFor } from "../grants/GrantMatcher.ts"
import { isExpired, type StoredKey } from "../keys/Key.ts"
import { Keys } from "../keys/Keys.ts"
import type { Agent } from "../people/Person.ts"
import { People } from "../people/People.ts"
import type { ReadRecord } from "./Preview.ts"

const keysAtOnce = 500

const byKey: PageOrder<KeyReader> = { placeOf: ({ key }) => byCreation.placeOf(key) }

export interface KeyReader {
  readonly key: StoredKey
  /** The agent that holds the key. Undefined if the person holds the key. */
  readonly agent: Agent | undefined
}

/**
 * Returns true if the answer of the operation can contain records of this type. For the action `read`, the operation
 * must be a query. For the action `update`, the operation must be a write, because the answer of a write contains the
 * changed record.
 */
const answers = (
  { door, kind, name }: Operation,
  { readBy, traits: { kind: recordKind, subject } }: Changer,
  action: "read" | "update"
): boolean => {
  if (action === "read") return kind === "query" && (readBy?.includes(name) ?? readsSubject(door, subject))
  return (
    door._tag === "Write" &&
    door.subject === subject &&
    door.actions.includes("update") &&
    // For a record type with its own kind, such as knowledge entries, the operation must write records of this kind.
    (recordKind === null || door.kind === recordKind)
  )
}

/** Returns true if an operation that declares this door can read rows of this subject. */
const readsSubject = (door: Door, subject: Subject): boolean => {
  switch (door._tag) {
    case "Rows":
      return door.subject === subject
    case "SeveralRows":
    case "EveryKind":
      return door.subjects.includes(subject)
    case "Public":
    case "Session":
    case "Operator":
    case "Self":
    case "FullGrant":
    case "Write":
      return false
  }
}

export class KeyReaders extends Context.Tag("pod/KeyReaders")<
  KeyReaders,
  {
    /**
     * Finds the active keys that can read the record, newest first: the keys of the caller's person, and of this
     * person's agents. Fails with NotFound if the person cannot read the record.
     */
    readonly of: (record: ReadRecord) => Effect.Effect<Page<KeyReader>, Invalid | NotFound, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const changers = yield* Changers
      const keys = yield* Keys
      const people = yield* People

      const principalOf = (caller: Principal, { key, agent }: KeyReader): Principal => ({
        ...caller,
        credential: { kind: "key", id: key.id },
        holder: agent === undefined ? caller.holder : { id: agent.id, kind: "agent", capabilities: agent.capabilities },
        scopes: key.scopes,
        grant: key.grant,
        workspaceId: key.workspaceId,
        toolProfile: key.toolProfile
      })

      /**
       * Returns the rights of a call that uses the key for this action. But the statements still check the credential
       * with which the person asks for the preview.
       */
      const reachAs = (reach: ReachShape, principal: Principal, action: "read" | "update"): ReachShape => ({
        ...reach,
        principal,
        bounds: (subject) => boundsFor(principal, subject, action)
      })

      return {
        of: Effect.fnUntraced(function* ({ cursor, limit, objectId, objectType, offset }) {
          const reach = yield* Reach
          const changer = changers.of(objectType)
          if (changer === undefined) return yield* invalid("objectType", "There is no record type with this name.")
          const current = changer.current(objectId, null)
          if ((yield* current) === null) return yield* new NotFound({ why: "You have no record with this id." })
          const compiled = yield* catalog.compiled
          const all = [...compiled.rest, ...compiled.procedures.values(), ...compiled.tools.values()]
          const ways = (["read", "update"] as const).map((action) => ({
            action,
            operations: all.filter((operation) => answers(operation, changer, action))
          }))
          const agents = new Map((yield* people.agents).map((agent) => [agent.id, agent]))
          const now = yield* DateTime.now
          // Keys with equal limits see the same rows and are allowed to call the same operations. So the pod checks
          // each set of limits only once.
          const known = new Map<string, boolean>()
          const reads = Effect.fnUntraced(function* (reader: KeyReader) {
            const { grant, holderId, scopes, toolProfile, workspaceId } = reader.key
            const limits = JSON.stringify([grant, holderId, scopes, toolProfile, workspaceId])
            const answer = known.get(limits)
            if (answer !== undefined) return answer
            const principal = principalOf(reach.principal, reader)
            for (const { action, operations } of ways) {
              if (!operations.some((operation) => operationRefusal(principal, operation) === null)) continue
              const found = yield* Effect.provideService(current, Reach, reachAs(reach, principal, action))
              if (found === null) continue
              known.set(limits, true)
              return true
            }
            known.set(limits, false)
            return false
          })
          const readers: Array<KeyReader> = []
          const enough = offset + limit + 1
          for (let after: Cursor | null | undefined = cursor; after !== null && readers.length < enough;) {
            const { items, next }: Page<StoredKey> = yield* keys.list({ limit: keysAtOnce, cursor: after })
            after = next
            for (const key of items) {
              if (key.revokedAt !== null || isExpired(key, now)) continue
              const reader = { key, agent: agents.get(key.holderId) }
              if (reader.agent?.isSuspended !== true && (yield* reads(reader))) readers.push(reader)
            }
          }
          return pageOfSorted(byKey, readers.slice(offset, enough), { limit })
        })
      }
    })
  )
}

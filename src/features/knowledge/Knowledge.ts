/**
 * The service of knowledge: it reads, writes and archives entries. An entry is a value that a space stores under a name
 * (the key of the entry).
 */
import { Context, Effect, Layer, Option } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, type WriteRefusal, type Forbidden, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { readInOrder } from "../../doors/RowOrder.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { type GatedWrite, objectIn } from "../gate/Write.ts"
import { requestedSpace, spaceToRead } from "../workspaces/WorkspaceAccess.ts"
import { keyExists, KnowledgeChanger, knowledgeTraits, versionMoved } from "./KnowledgeChanger.ts"
import {
  archivedStatus,
  type KnowledgeDraft,
  type KnowledgeEntry,
  type KnowledgeQuery,
  type KnowledgeReplacement,
  type KnowledgeVersion,
  type VersionQuery
} from "./KnowledgeEntry.ts"
import { KnowledgeStore } from "./KnowledgeStore.ts"

type WorkspaceId = string | null | undefined

// The maximum number of retries. A retry is necessary only after another writer has succeeded, so nine simultaneous
// writers all succeed.
const againMax = 8

const entryMissing = missingRecord("knowledge entry")

/** Leaves out the fields whose value is undefined, because JSON has no such value. */
const definedFields = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const isConflict = (failure: WriteRefusal | Proposed, ...codes: ReadonlyArray<string>) =>
  failure._tag === "Conflict" && codes.includes(failure.code)

export class Knowledge extends Context.Tag("pod/Knowledge")<
  Knowledge,
  {
    /**
     * Lists entries. Every method except `listByIds` works in one space: the named workspace, or the person's own space.
     * These methods fail with Forbidden if the caller cannot access the workspace. An agent's write becomes a proposal
     * if it archives an entry, if a person wrote the entry last, or if a governance rule requires approval. The write
     * then fails with Proposed.
     */
    readonly list: (listing: KnowledgeQuery) => Effect.Effect<Page<KnowledgeEntry>, Forbidden, Reach>
    /** Reads the entry with this key, archived or not. The status of the entry shows whether it is archived. */
    readonly get: (key: string, workspaceId: WorkspaceId) => Effect.Effect<KnowledgeEntry, Forbidden | NotFound, Reach>
    /**
     * Reads the entries with these ids in one statement, in the order of the ids, in any space that the caller may read.
     * Leaves out entries that the caller may not read.
     */
    readonly listByIds: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, never, Reach>
    /** Lists the versions of an entry, one for each write, latest first. */
    readonly versions: (
      key: string,
      page: VersionQuery
    ) => Effect.Effect<Page<KnowledgeVersion>, Forbidden | NotFound, Reach>
    /**
     * Adds an entry. If an archived entry has the same key, restores that entry and replaces all its fields. Fails with
     * Conflict if an entry in use has the key.
     */
    readonly create: (draft: KnowledgeDraft) => Effect.Effect<KnowledgeEntry, WriteRefusal | Proposed, Reach>
    /**
     * Replaces the entry with this key, archived or not, or adds a new entry. With `expectedVersion`, it fails with
     * Conflict if the entry has another version now, or if no entry has the key.
     */
    readonly put: (
      key: string,
      replacement: KnowledgeReplacement
    ) => Effect.Effect<KnowledgeEntry, WriteRefusal | Proposed, Reach>
    /**
     * Archives an entry. Returns true also if the entry is archived already, and false if there is no entry that the
     * caller can archive.
     */
    readonly archive: (key: string, workspaceId: WorkspaceId) => Effect.Effect<boolean, WriteRefusal | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* KnowledgeStore
      const gate = yield* GovernanceGate
      const { write } = yield* KnowledgeChanger

      /**
       * Fails with Forbidden if the caller is not allowed to do the action in the space. The service runs this check
       * before it looks up an entry.
       */
      const refuse = (spaceId: string, action: GatedWrite["action"]) =>
        Effect.flatMap(Reach, ({ principal: { personId } }) =>
          gate.refuse({ ...knowledgeTraits, action, object: objectIn(personId, spaceId, null) })
        )

      /** Tries a write again if somebody else wrote the entry in the meantime. */
      const withRetries = <A>(work: Effect.Effect<A, WriteRefusal | Proposed, Reach>) =>
        Effect.retry(work, { times: againMax, while: (failure) => isConflict(failure, versionMoved, keyExists) })

      return {
        list: Effect.fnUntraced(function* ({ namespace, status, workspaceId, ...place }) {
          const spaceId = yield* spaceToRead(workspaceId)
          return yield* store.list({ ...place, namespace, spaceId, status })
        }),
        get: Effect.fnUntraced(function* (key, workspaceId) {
          const found = yield* store.find({ spaceId: yield* spaceToRead(workspaceId), key }, "read")
          return Option.isSome(found) ? found.value : yield* entryMissing
        }),
        listByIds: (ids) => readInOrder(ids, store.listByIds),
        versions: Effect.fnUntraced(function* (key, { workspaceId, ...page }) {
          const place = { spaceId: yield* spaceToRead(workspaceId), key }
          const found = yield* store.versions(place, page)
          if (found.items.length === 0 && Option.isNone(yield* store.find(place, "read"))) return yield* entryMissing
          return found
        }),
        create: Effect.fnUntraced(function* ({ key, workspaceId, ...draft }) {
          const spaceId = yield* requestedSpace(workspaceId)
          const content = definedFields(draft)
          const written = Effect.gen(function* () {
            const known = Option.getOrUndefined(yield* store.find({ spaceId, key }, "update"))
            if (known?.status !== archivedStatus) {
              return yield* write({ action: "create", targetId: uuidv7(), spaceId, content: { key, ...content } })
            }
            yield* refuse(spaceId, "create")
            const { id: targetId, version: expectedVersion } = known
            return yield* write({ action: "update", targetId, spaceId, content }, { expectedVersion })
          })
          return yield* Effect.retry(written, {
            times: againMax,
            while: (failure) => isConflict(failure, versionMoved)
          })
        }),
        put: Effect.fnUntraced(function* (key, { expectedVersion, workspaceId, ...replacement }) {
          const spaceId = yield* requestedSpace(workspaceId)
          const content = definedFields(replacement)
          if (expectedVersion !== undefined) {
            const known = yield* store.find({ spaceId, key }, "update")
            if (Option.isNone(known)) {
              yield* refuse(spaceId, "update")
              return yield* new Conflict({
                code: versionMoved,
                why: `There is no entry with the key ${key} that you may change. To add the entry, leave out \`expectedVersion\`.`
              })
            }
            return yield* write({ action: "update", targetId: known.value.id, spaceId, content }, { expectedVersion })
          }
          const writeOnce = Effect.catchIf(
            write({ action: "create", targetId: uuidv7(), spaceId, content: { key, ...content } }),
            (failure) => isConflict(failure, keyExists),
            // The entry already exists. Either the caller is not allowed to change it, or somebody else wrote it a
            // moment ago.
            (failure) => Effect.zipRight(refuse(spaceId, "update"), Effect.fail(failure))
          )
          return yield* withRetries(
            Effect.flatMap(
              store.find({ spaceId, key }, "update"),
              Option.match({
                onNone: () => writeOnce,
                onSome: ({ id: targetId }) => write({ action: "update", targetId, spaceId, content })
              })
            )
          )
        }),
        archive: Effect.fnUntraced(function* (key, workspaceId) {
          const spaceId = yield* requestedSpace(workspaceId)
          // The gate uses one action to check both the grant and the role. So the caller needs the role owner or admin
          // to archive an entry, as for an entity. To let editors archive entries, the gate would have to use two
          // different actions.
          yield* refuse(spaceId, "delete")
          return yield* withRetries(
            Effect.gen(function* () {
              const known = yield* store.find({ spaceId, key }, "delete")
              if (Option.isNone(known)) return false
              if (known.value.status === archivedStatus) return true
              yield* write({ action: "delete", targetId: known.value.id, spaceId, content: {} })
              return true
            })
          )
        })
      }
    })
  )
}

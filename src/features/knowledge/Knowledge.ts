/** Knowledge: the rules of reading, keeping and archiving what a space knows under a key. */
import { Context, Effect, Layer, Option } from "effect"
import { type WriteRefusal, type Forbidden, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { type GatedWrite, objectIn } from "../gate/Write.ts"
import { spaceNamed } from "../workspaces/WorkspaceAccess.ts"
import { keyExists, KnowledgeChanger, traits, versionMoved } from "./KnowledgeChanger.ts"
import {
  archived,
  type KnowledgeDraft,
  type KnowledgeEntry,
  type KnowledgeQuery,
  type KnowledgeReplacement,
  type KnowledgeVersion,
  type VersionQuery
} from "./KnowledgeEntry.ts"
import { KnowledgeStore } from "./KnowledgeStore.ts"

type WorkspaceId = string | null | undefined

const againMost = 8 // times; each time somebody else was first, so of that many at once one is through

const absent = new NotFound({ why: "There is no such knowledge entry." })

/** Only what is said: JSON has nothing that is undefined. */
const said = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const isConflict = (failure: WriteRefusal | Proposed, ...codes: ReadonlyArray<string>) =>
  failure._tag === "Conflict" && codes.includes(failure.code)

export class Knowledge extends Context.Tag("pod/Knowledge")<
  Knowledge,
  {
    /**
     * Every method works in one space: the workspace that is named, or else the person's own. It fails with Forbidden
     * for a workspace that the caller does not reach. An agent's write ends with Proposed where a person wrote the entry
     * last, and where somebody said so.
     */
    readonly list: (listing: KnowledgeQuery) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, Forbidden, Reach>
    /** In whatever state: an archived entry says so in its status. */
    readonly get: (key: string, workspaceId: WorkspaceId) => Effect.Effect<KnowledgeEntry, Forbidden | NotFound, Reach>
    /** What each write left of it, the latest first. */
    readonly versions: (
      key: string,
      page: VersionQuery
    ) => Effect.Effect<Page<KnowledgeVersion>, Forbidden | NotFound, Reach>
    /**
     * Keeps a new entry; one that was archived under the key is changed into it, with everything replaced. Fails with
     * Conflict where the key is in use.
     */
    readonly create: (draft: KnowledgeDraft) => Effect.Effect<KnowledgeEntry, WriteRefusal | Proposed, Reach>
    /** Replaces what is there, archived or not, or keeps a new entry. */
    readonly put: (
      key: string,
      replacement: KnowledgeReplacement
    ) => Effect.Effect<KnowledgeEntry, WriteRefusal | Proposed, Reach>
    /** Answers whether there was something to archive. */
    readonly archive: (key: string, workspaceId: WorkspaceId) => Effect.Effect<boolean, WriteRefusal | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* KnowledgeStore
      const gate = yield* GovernanceGate
      const { write } = yield* KnowledgeChanger

      /** Refuses whoever could not do it in that space, before anything is looked up for them. */
      const refuse = (spaceId: string, action: GatedWrite["action"]) =>
        Effect.flatMap(Reach, ({ principal: { personId } }) =>
          gate.refuse({ ...traits, action, object: objectIn(personId, spaceId, null) })
        )

      /** Looked at anew when somebody else wrote in between. */
      const again = <A>(work: Effect.Effect<A, WriteRefusal | Proposed, Reach>) =>
        Effect.retry(work, { times: againMost, while: (failure) => isConflict(failure, versionMoved, keyExists) })

      return {
        list: Effect.fn("Knowledge.list")(function* ({ workspaceId, namespace, status, limit, offset }) {
          const spaceId = yield* spaceNamed(workspaceId)
          return yield* store.list({ spaceId, namespace, status, limit, offset })
        }),
        get: Effect.fn("Knowledge.get")(function* (key, workspaceId) {
          const found = yield* store.find({ spaceId: yield* spaceNamed(workspaceId), key }, "read")
          return Option.isSome(found) ? found.value : yield* absent
        }),
        versions: Effect.fn("Knowledge.versions")(function* (key, { workspaceId, ...page }) {
          const place = { spaceId: yield* spaceNamed(workspaceId), key }
          const found = yield* store.versions(place, page)
          if (found.items.length === 0 && Option.isNone(yield* store.find(place, "read"))) return yield* absent
          return found
        }),
        create: Effect.fn("Knowledge.create")(function* ({ key, workspaceId, ...draft }) {
          const spaceId = yield* spaceNamed(workspaceId)
          const content = said(draft)
          const written = Effect.gen(function* () {
            const known = Option.getOrUndefined(yield* store.find({ spaceId, key }, "update"))
            if (known?.status !== archived) {
              return yield* write({ action: "create", targetId: uuidv7(), spaceId, content: { key, ...content } })
            }
            yield* refuse(spaceId, "create")
            const { id: targetId, version: expectedVersion } = known
            return yield* write({ action: "update", targetId, spaceId, content }, { expectedVersion })
          })
          return yield* Effect.retry(written, {
            times: againMost,
            while: (failure) => isConflict(failure, versionMoved)
          })
        }),
        put: Effect.fn("Knowledge.put")(function* (key, { workspaceId, ...replacement }) {
          const spaceId = yield* spaceNamed(workspaceId)
          const content = said(replacement)
          const kept = Effect.catchIf(
            write({ action: "create", targetId: uuidv7(), spaceId, content: { key, ...content } }),
            (failure) => isConflict(failure, keyExists),
            // There is one that the caller may not change, or somebody kept it a moment ago.
            (failure) => Effect.zipRight(refuse(spaceId, "update"), Effect.fail(failure))
          )
          return yield* again(
            Effect.flatMap(
              store.find({ spaceId, key }, "update"),
              Option.match({
                onNone: () => kept,
                onSome: ({ id: targetId }) => write({ action: "update", targetId, spaceId, content })
              })
            )
          )
        }),
        archive: Effect.fn("Knowledge.archive")(function* (key, workspaceId) {
          const spaceId = yield* spaceNamed(workspaceId)
          // The gate asks one action of the grant and of the role: whoever archives is owner or admin of the workspace,
          // as for an entity. An editor's right to archive would need a gate that asks the two apart.
          yield* refuse(spaceId, "delete")
          return yield* again(
            Effect.gen(function* () {
              const known = yield* store.find({ spaceId, key }, "delete")
              if (Option.isNone(known) || known.value.status === archived) return false
              yield* write({ action: "delete", targetId: known.value.id, spaceId, content: {} })
              return true
            })
          )
        })
      }
    })
  )
}

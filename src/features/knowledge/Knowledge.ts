/** Knowledge: the rules of reading, keeping and archiving what a space knows under a key. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Action } from "../../doors/Door.ts"
import { type Forbidden, invalid, NotFound, NotImplemented } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { actorOf } from "../events/AppendEvent.ts"
import type { EventDraft } from "../events/Event.ts"
import { Changers } from "../governance/Changers.ts"
import type { Passed } from "../governance/Passed.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { Snapshot } from "../governance/Write.ts"
import { spaceNamed } from "../workspaces/WorkspaceAccess.ts"
import {
  archived,
  type KnowledgeDraft,
  type KnowledgeEntry,
  KnowledgeKeyTaken,
  knowledgeKind,
  KnowledgeNotFound,
  type KnowledgeQuery,
  type KnowledgeReplacement
} from "./KnowledgeEntry.ts"
import { KnowledgeStore } from "./KnowledgeStore.ts"

type WorkspaceId = string | null | undefined
type WriteAction = Exclude<Action, "read">

/** The event of a write is named after the permission it was let through with. */
const eventOf = (action: WriteAction, entry: Pick<KnowledgeEntry, "id" | "key" | "namespace">): EventDraft => ({
  type: `entity.${knowledgeKind}.${action}`,
  subjectId: entry.id,
  data: { key: entry.key, ...(entry.namespace === null ? {} : { namespace: entry.namespace }) }
})

const absent = new NotFound({ why: "There is no such knowledge entry." })

/** An entry has no version of its own: when it was changed last is one. */
const snapshotOf = (entry: KnowledgeEntry): Snapshot => ({
  version: DateTime.toEpochMillis(entry.updatedAt),
  fields: { key: entry.key, value: entry.value, status: entry.status }
})

export class Knowledge extends Context.Tag("pod/Knowledge")<
  Knowledge,
  {
    /**
     * Every method works in one space: the workspace that is named, or else the person's own. It fails with Forbidden
     * for a workspace that the caller does not reach.
     */
    readonly list: (listing: KnowledgeQuery) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, Forbidden, Reach>
    /** In whatever state: an archived entry says so in its status. */
    readonly get: (
      key: string,
      workspaceId: WorkspaceId
    ) => Effect.Effect<KnowledgeEntry, Forbidden | KnowledgeNotFound, Reach>
    /** Keeps a new entry; one that was archived under the key is the same entry again, with everything replaced. */
    readonly create: (
      draft: KnowledgeDraft
    ) => Effect.Effect<KnowledgeEntry, Forbidden | Proposed | KnowledgeKeyTaken, Reach>
    /** Replaces what is there, archived or not, or keeps a new entry. */
    readonly put: (
      key: string,
      replacement: KnowledgeReplacement
    ) => Effect.Effect<KnowledgeEntry, Forbidden | Proposed, Reach>
    /** Answers whether there was something to archive. */
    readonly archive: (key: string, workspaceId: WorkspaceId) => Effect.Effect<boolean, Forbidden | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* KnowledgeStore
      const gate = yield* GovernanceGate
      const changers = yield* Changers

      /** No object and no project is ever named: a grant that is limited to either covers no entry. */
      const pass = Effect.fnUntraced(function* (spaceId: string, action: WriteAction, entry?: KnowledgeEntry) {
        const { principal } = yield* Reach
        const archiving =
          entry === undefined
            ? {}
            : {
                targetType: "knowledge_entry",
                targetId: entry.id,
                content: {},
                base: snapshotOf(entry),
                summary: `Archive “${entry.key}”`
              }
        return yield* gate.pass({
          ...archiving,
          subject: "entity",
          kind: knowledgeKind,
          action,
          isDirect: true, // the answer of the specification has no room for a proposal
          object: { spaceId, isPersonal: spaceId === principal.personId, objectId: null, projectIds: [] }
        })
      })

      const eventually = (entry: KnowledgeEntry, spaceId: string, action: "delete" | "restore", passed: Passed) =>
        store.change(
          { spaceId, key: entry.key },
          action === "delete"
            ? { action: "delete", from: "live", fields: { status: archived } }
            : { action: "update", from: "archived", fields: { status: "active" } },
          { ...eventOf("delete", entry), type: `entity.${knowledgeKind}.${action}` },
          passed
        )

      /** Only archiving is ever proposed: the other writes of an agent are carried out. */
      yield* changers.register("knowledge_entry", {
        current: (id) =>
          Effect.map(
            store.locate(id, "read"),
            Option.match({ onNone: () => null, onSome: ({ entry }) => snapshotOf(entry) })
          ),
        apply: ({ action, targetId }, passed) =>
          Effect.gen(function* () {
            const found = yield* store.locate(targetId, action === "restore" ? "update" : "delete")
            if (Option.isNone(found)) return yield* absent
            if (action !== "delete" && action !== "restore") {
              return yield* new NotImplemented({ why: "Only archiving an entry is proposed." })
            }
            const { entry, spaceId } = found.value
            const changed = yield* eventually(entry, spaceId, action, passed)
            return Option.isSome(changed) ? snapshotOf(changed.value) : yield* absent
          }),
        check: ({ content }) =>
          Object.keys(content).length === 0
            ? Effect.succeed({ content })
            : Effect.fail(invalid("data", "Archiving an entry has no content.")),
        describe: ({ targetId }) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const found = yield* store.locate(targetId, "read")
            if (Option.isNone(found)) return yield* absent
            const { entry, spaceId } = found.value
            return {
              subject: "entity" as const,
              kind: knowledgeKind,
              object: { spaceId, isPersonal: spaceId === principal.personId, objectId: null, projectIds: [] },
              isDirect: true,
              content: {},
              base: snapshotOf(entry),
              summary: `Archive “${entry.key}”`
            }
          })
      })

      const authorOf = (given: string | null | undefined) => Effect.map(Reach, (reach) => given ?? actorOf(reach))

      return {
        list: Effect.fn("Knowledge.list")(function* ({ workspaceId, namespace, status, limit, offset }) {
          const spaceId = yield* spaceNamed(workspaceId)
          return yield* store.list({ spaceId, namespace, status, limit, offset })
        }),
        get: Effect.fn("Knowledge.get")(function* (key, workspaceId) {
          const found = yield* store.find({ spaceId: yield* spaceNamed(workspaceId), key }, "read")
          return Option.isSome(found) ? found.value : yield* new KnowledgeNotFound({ key })
        }),
        create: Effect.fn("Knowledge.create")(function* ({ key, value, namespace, slug, status, workspaceId, author }) {
          const spaceId = yield* spaceNamed(workspaceId)
          const passed = yield* pass(spaceId, "create")
          const place = { spaceId, key }
          const fields = { value, namespace, slug, status, author: yield* authorOf(author) }
          const known = yield* store.find(place, "create")
          if (Option.isNone(known)) {
            const id = uuidv7()
            return yield* store.add({ id, ...place, ...fields }, eventOf("create", { id, key, namespace }), passed)
          }
          const revived = yield* store.change(
            place,
            { action: "create", from: "archived", fields },
            eventOf("create", { id: known.value.id, key, namespace }),
            passed
          )
          return Option.isSome(revived) ? revived.value : yield* new KnowledgeKeyTaken({ key })
        }),
        put: Effect.fn("Knowledge.put")(function* (key, { value, status, author, workspaceId }) {
          const spaceId = yield* spaceNamed(workspaceId)
          const place = { spaceId, key }
          // Archiving by another door asks for the same permission as DELETE.
          if (status === archived) {
            yield* pass(spaceId, "delete", Option.getOrUndefined(yield* store.find(place, "delete")))
          }
          const fields = { status, author: yield* authorOf(author), ...(value === undefined ? {} : { value }) }
          const replaced = Effect.fnUntraced(function* (known: KnowledgeEntry) {
            const passed = yield* pass(spaceId, "update")
            const changed = yield* store.change(
              place,
              { action: "update", from: "any", fields },
              eventOf("update", known),
              passed
            )
            return Option.isSome(changed) ? changed.value : yield* Effect.dieMessage("a knowledge entry vanished")
          })
          const known = yield* store.find(place, "update")
          if (Option.isSome(known)) return yield* replaced(known.value)
          const passed = yield* pass(spaceId, "create")
          const made = { id: uuidv7(), ...place, value: "", namespace: null, slug: null, ...fields }
          return yield* Effect.catchTag(store.add(made, eventOf("create", made), passed), "KnowledgeKeyTaken", () =>
            // Somebody else kept the key a moment ago: theirs is there now.
            Effect.flatMap(
              store.find(place, "update"),
              Option.match({ onNone: () => Effect.dieMessage("a taken key has no entry"), onSome: replaced })
            )
          )
        }),
        archive: Effect.fn("Knowledge.archive")(function* (key, workspaceId) {
          const spaceId = yield* spaceNamed(workspaceId)
          // The gate asks one action of the grant and of the role: whoever archives is owner or admin of the workspace,
          // as for an entity. An editor's right to archive would need a gate that asks the two apart.
          const known = yield* store.find({ spaceId, key }, "delete")
          const passed = yield* pass(spaceId, "delete", Option.getOrUndefined(known))
          if (Option.isNone(known)) return false
          return Option.isSome(yield* eventually(known.value, spaceId, "delete", passed))
        })
      }
    })
  )
}

/** Describes, checks and writes a change of a knowledge entry: directly, after an approval, or as a revert. */
import { Context, Effect, Layer, Option } from "effect"
import { isDeepStrictEqual } from "node:util"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import { Conflict, type WriteRefusal, invalid } from "../../doors/Failure.ts"
import { namesCaller } from "../../doors/Identity.ts"
import { Reach } from "../../doors/Reach.ts"
import { actorOf } from "../events/AppendEvent.ts"
import type { EventDraft } from "../events/Event.ts"
import { type AppliedChange, type Changer, isUndone, type Writer, writerOf } from "../gate/Changers.ts"
import { countsWithoutKinds } from "../gate/Overview.ts"
import type { Passed } from "../gate/Passed.ts"
import { requestedContent, type GatedWrite, type JsonRecord, objectIn, type Snapshot } from "../gate/Write.ts"
import {
  activeStatus,
  archivedStatus,
  KnowledgeContent,
  type KnowledgeEntry,
  knowledgeKind,
  reservedKeys
} from "./KnowledgeEntry.ts"
import { type KnowledgeFields, KnowledgeStore } from "./KnowledgeStore.ts"

/** The code of the conflict if another entry, archived or not, already has the key. */
export const keyExists = "KEY_EXISTS"

export const versionMoved = "VERSION_CONFLICT"

/**
 * How the gate treats writes of knowledge entries. In the specification (§4.1), the answer to such a write contains no
 * proposal. So the gate allows an agent's write without approval, unless a rung before `direct` decides otherwise.
 */
export const knowledgeTraits = { subject: "entity", kind: knowledgeKind, isDirect: true, mayOverwrite: true } as const

const entryMissing = missingRecord("knowledge entry")

const contentOf = strictDecoder(KnowledgeContent)

const fieldsOf = ({ author, key, namespace, slug, status, value }: KnowledgeEntry) => ({
  key,
  value,
  namespace,
  slug,
  status,
  author
})

const snapshotOf = (entry: KnowledgeEntry): Snapshot => ({ version: entry.version, fields: fieldsOf(entry) })

/**
 * The operations that read entries. For each of them, a caller needs the permission `entity.knowledge.read` and further
 * permissions.
 */
const readers = ["knowledge.list", "retrieval.search", "svc_ask"]

const verbs = { create: "Keep", update: "Change", delete: "Archive" }

const eventOf = (action: AppliedChange["action"], id: string, { key, namespace }: JsonRecord): EventDraft => ({
  type: `entity.${knowledgeKind}.${action}`,
  subjectId: id,
  data: { key, ...(typeof namespace === "string" ? { namespace } : {}) }
})

export class KnowledgeChanger extends Context.Tag("pod/KnowledgeChanger")<
  KnowledgeChanger,
  {
    /**
     * Writes the change and returns the current entry. Fails with Conflict if the key of a new entry is in use. Also
     * fails with Conflict if the gate judged an agent's write with an older version of the entry than the current
     * version.
     */
    readonly write: Writer<KnowledgeEntry>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* KnowledgeStore

      /**
       * Finds the entry for a write. Also finds an entry that the caller may read but not change, so that the gate
       * answers Forbidden.
       */
      const placed = Effect.fnUntraced(function* (id: string, action: "update" | "delete") {
        const located = yield* store.locate(id, action)
        const found = Option.isSome(located) ? located : yield* store.locate(id, "read")
        return Option.isSome(found) ? found.value : yield* entryMissing
      })

      const current: Changer["current"] = (id, spaceId) =>
        Effect.map(store.locate(id, "read"), (found) =>
          Option.isSome(found) && (spaceId === null || found.value.spaceId === spaceId)
            ? snapshotOf(found.value.entry)
            : null
        )

      /**
       * Describes a change. The description names no object and no project, so a grant that is limited to objects or
       * projects never covers an entry.
       */
      const describe: Changer["describe"] = Effect.fnUntraced(function* (request) {
        const { personId } = (yield* Reach).principal
        const { action, targetId } = request
        if (action === "create") {
          const content = requestedContent(request, null)
          const { key = targetId } = yield* contentOf(content)
          const object = objectIn(personId, request.spaceId, null)
          return { object, content, base: null, summary: `${verbs.create} a value under “${key}”` }
        }
        const { entry, isByPerson, spaceId } = yield* placed(targetId, action)
        const base = snapshotOf(entry)
        const content = requestedContent(request, base)
        const object = objectIn(personId, spaceId, null)
        // A PUT that archives needs the same permission as DELETE.
        const archiving: GatedWrite = { subject: "entity", kind: knowledgeKind, action: "delete", object }
        const isArchiving = action === "update" && content["status"] === archivedStatus
        return {
          object,
          also: isArchiving ? [archiving] : [],
          isOverwriting: isByPerson,
          content,
          base,
          summary: `${verbs[isArchiving ? "delete" : action]} “${entry.key}”`
        }
      })

      const check: Changer["check"] = Effect.fnUntraced(function* ({ action, content: json, object }, moment) {
        const reach = yield* Reach
        if (isUndone(moment)) return { content: json }
        const { author, ...content } = yield* contentOf(json)
        if (action === "delete") {
          const isEmpty = Object.keys(json).length === 0
          return isEmpty ? { content: json } : yield* invalid("data", "Send no content when you archive an entry.")
        }
        if (moment !== "approved") yield* namesCaller(reach.principal, [json])
        // If a proposal names no author, the pod adds the author only when it writes the entry. So the author never
        // causes a conflict.
        const signed = moment === "proposed" && author == null ? {} : { author: author ?? actorOf(reach) }
        if (action === "update") {
          if (content.key !== undefined) return yield* invalid("key", "The key of an entry cannot be changed.")
          return { content: { ...content, ...signed } }
        }
        const { key } = content
        if (key === undefined) return yield* invalid("key", "is missing")
        if (reservedKeys.has(key)) {
          return yield* invalid(
            "key",
            `is a reserved name, so no request could read an entry with the key ${key}. Use another key.`
          )
        }
        // Only a proposal needs this check. For a direct or an approved write, the SQL statement checks whether the key
        // is in use.
        if (moment === "proposed") {
          const known = yield* store.find({ spaceId: object.spaceId, key }, "create")
          if (Option.isSome(known)) return yield* keyTaken(key)
        }
        return { content: { value: "", namespace: null, slug: null, status: activeStatus, ...content, ...signed } }
      })

      const keyTaken = (key: string) =>
        Effect.fail(
          new Conflict({
            code: keyExists,
            why: `An entry with the key ${key} already exists in this space. To replace its value, use PUT.`
          })
        )

      const added = Effect.fnUntraced(function* (
        { content: json, object, targetId: id }: AppliedChange,
        passed: Passed
      ) {
        const { key = "", namespace = null, slug = null, status = activeStatus, ...rest } = yield* contentOf(json)
        const { author = null, value = "" } = rest
        const entry = { id, spaceId: object.spaceId, key, value, namespace, slug, status, author }
        return yield* Effect.catchTag(store.add(entry, eventOf("create", id, entry), passed), "KnowledgeKeyTaken", () =>
          keyTaken(key)
        )
      })

      /**
       * Fails with Conflict. The code calls this if a statement changed nothing because somebody else wrote the entry
       * first.
       */
      const missed = Effect.fnUntraced(function* (id: string) {
        const { entry } = yield* placed(id, "update")
        return yield* new Conflict({
          code: versionMoved,
          why: `The entry has changed: it is now at version ${entry.version}. Read it again before you change it.`
        })
      })

      /**
       * Returns the version that a write must replace. If an agent names no version, this is the version that the gate
       * has judged, because the verdict of the gate depends on who wrote that version.
       */
      const versionFor = ({ base, expectedVersion }: AppliedChange) =>
        Effect.map(Reach, ({ principal }) =>
          expectedVersion === null && principal.holder.kind === "agent" ? (base?.version ?? null) : expectedVersion
        )

      const changed = Effect.fnUntraced(function* (
        change: AppliedChange,
        fields: Partial<KnowledgeFields>,
        passed: Passed
      ) {
        const { action, base, object, targetId } = change
        const before = base?.fields ?? {}
        const { key = "" } = yield* contentOf(before)
        const done = yield* store.change(
          { spaceId: object.spaceId, key },
          {
            action: action === "delete" ? "delete" : "update",
            from: action === "delete" ? "live" : action === "restore" ? "archived" : "any",
            version: yield* versionFor(change),
            fields
          },
          eventOf(action, targetId, before),
          passed
        )
        return Option.isSome(done) ? done.value : yield* missed(targetId)
      })

      /** Restores an archived entry, unless somebody has changed the entry after it was archived. */
      const restored = Effect.fnUntraced(function* (change: AppliedChange, passed: Passed) {
        const { base, targetId } = change
        const { status = activeStatus, ...before } = base?.fields ?? {}
        const { entry } = yield* placed(targetId, "update")
        const { status: now, ...unchangedFields } = fieldsOf(entry)
        if (now !== archivedStatus || !isDeepStrictEqual(before, unchangedFields)) {
          return yield* new Conflict({
            code: "REVERT_CONFLICT",
            why: "Somebody has changed the entry since it was archived, so the pod cannot revert the archiving."
          })
        }
        return yield* changed({ ...change, expectedVersion: entry.version }, yield* contentOf({ status }), passed)
      })

      const apply = (change: AppliedChange, passed: Passed): Effect.Effect<KnowledgeEntry, WriteRefusal, Reach> =>
        Effect.gen(function* () {
          switch (change.action) {
            case "create":
              return yield* added(change, passed)
            case "update": {
              const { key: _stays, ...fields } = yield* contentOf(change.content)
              return yield* changed(change, fields, passed)
            }
            case "delete":
              return yield* changed(change, { status: archivedStatus }, passed)
            case "restore":
              return yield* restored(change, passed)
          }
        })

      const overview: Changer["overview"] = {
        counts: countsWithoutKinds(store.countBySpace),
        samples: (limit) =>
          Effect.map(store.latest(limit), (entries) =>
            entries.map(({ id, key, workspaceId }) => ({ id, title: key, kind: null, workspaceId }))
          )
      }

      return {
        write: yield* writerOf("knowledge_entry", {
          traits: knowledgeTraits,
          current,
          describe,
          check,
          apply,
          unchanged: ({ targetId }) => Effect.map(placed(targetId, "update"), ({ entry }) => entry),
          overview,
          readBy: readers
        })
      }
    })
  )
}

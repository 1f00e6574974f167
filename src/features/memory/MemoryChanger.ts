/** Describes, checks and writes a change of memory facts: directly, after an approval, or as a revert. */
import { Context, Effect, Layer } from "effect"
import { strictDecoder } from "../../doors/Faults.ts"
import { type Fault, Invalid, invalid, type WriteRefusal } from "../../doors/Failure.ts"
import { namesCaller } from "../../doors/Identity.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Reach } from "../../doors/Reach.ts"
import { isUuid, uuidv7 } from "../../platform/Ids.ts"
import { Message } from "../conversations/Message.ts"
import { type AppliedChange, type Changer, Changers, isUndone, type Writer, writerOf } from "../gate/Changers.ts"
import type { Passed } from "../gate/Passed.ts"
import { requestedContent, type GatedWrite, type JsonRecord, objectIn, type Snapshot } from "../gate/Write.ts"
import { Records } from "../records/Records.ts"
import { FactWriter } from "./FactWriter.ts"
import { ForgetContent, HoldContent, MemoryContent, type NewFact, vectorOf } from "./MemoryContent.ts"
import type { KeptFact } from "./MemoryFact.ts"
import { MemoryStore } from "./MemoryStore.ts"
import { shortenText } from "../../platform/StoredText.ts"

/**
 * How the gate treats writes of facts. In the specification, the answer to such a write contains no proposal. So the
 * gate allows an agent's write without approval, unless a rung before `direct` decides otherwise.
 */
export const memoryTraits = { subject: "memory", kind: null, isDirect: true, mayOverwrite: true } as const

const factMissing = missingRecord("memory fact")
// the maximum number of characters of a fact in the summary of a proposal, because a person reads the summary
const wordsShown = 80

/**
 * The operations that read facts. For each of them, a caller needs the permission to read `memory`. For some of them, a
 * caller needs further permissions.
 */
const readers = ["memory.list", "memory.search", "svc_recall", "retrieval.search", "svc_ask"]

const rememberedOf = strictDecoder(MemoryContent)
const forgottenOf = strictDecoder(ForgetContent)
const holdContentOf = strictDecoder(HoldContent)

/** Returns the id if it is a UUID. Only a UUID can be the id of a record in this pod. */
const uuidIn = (id: string | null): ReadonlyArray<string> => (id !== null && isUuid(id) ? [id] : [])

const shownFact = (text: string) => `“${text.length > wordsShown ? `${shortenText(text, wordsShown)}…` : text}”`

/** Returns true if the content of a delete undoes a create. The content of any other delete has no property `facts`. */
const isUndo = (content: JsonRecord) => "facts" in content

export class MemoryChanger extends Context.Tag("pod/MemoryChanger")<
  MemoryChanger,
  {
    /** Writes a change. Returns the facts that the change added, changed or repeated, in the order of the request. */
    readonly write: Writer<ReadonlyArray<KeptFact>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* MemoryStore
      const writer = yield* FactWriter
      const records = yield* Records
      const changers = yield* Changers

      /**
       * Returns the facts with these ids, if the caller is allowed to do this action on all of them. Also returns the
       * facts if the caller is allowed to do the action on none of them, but to read all of them. Otherwise fails with
       * NotFound.
       */
      const placed = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, action: "update" | "delete") {
        if (ids.length === 0) return []
        const locatedFacts = yield* store.byIds(ids, action)
        // If the caller is only allowed to read the facts, the caller must get Forbidden from the gate, and not
        // NotFound. So the function returns the facts, and the gate then refuses the write.
        const found = locatedFacts.length === 0 ? yield* store.byIds(ids, "read") : locatedFacts
        return found.length === new Set(ids).size ? found : yield* factMissing
      })

      const current: Changer["current"] = (id, spaceId) =>
        Effect.map(store.byIds([id], "read"), ([fact]) =>
          fact === undefined || (spaceId !== null && fact.userId !== spaceId) ? null : snapshotOf(fact)
        )

      /**
       * Describes a change for the gate. The object of the change is always the person's own space, because a fact
       * belongs to no project and a grant cannot list single facts.
       */
      const describe: Changer["describe"] = Effect.fnUntraced(function* (request) {
        const { personId } = (yield* Reach).principal
        const object = objectIn(personId, personId, null)
        const also = (action: GatedWrite["action"], isOverwriting = false): GatedWrite => ({
          subject: "memory",
          kind: null,
          isDirect: true,
          action,
          object,
          isOverwriting,
          // The new fact gets the topic of the fact that it replaces, so the answer shows this topic.
          showsRecord: action === "update"
        })
        const { action, targetId } = request
        if (action === "create") {
          const content = requestedContent(request, null)
          const { facts, forgets } = yield* rememberedOf(content)
          const replaced = yield* placed([...new Set(facts.flatMap(({ replaces }) => replaces))], "update")
          yield* placed([...new Set(forgets)], "delete")
          return {
            object,
            content,
            base: null,
            isPrivate: true,
            also: [
              ...(replaced.length === 0 ? [] : [also("update", replaced.some(isByPerson))]),
              ...(forgets.length === 0 ? [] : [also("delete")])
            ],
            summary: summaryOf(facts, replaced.length, forgets.length)
          }
        }
        if (action === "update") {
          const [fact] = yield* placed([targetId], "update")
          const base = snapshotOf(fact)
          const content = requestedContent(request, base)
          const verb = content["isHeld"] === true ? "Restore" : "Forget"
          const isOverwriting = isByPerson(fact)
          return { object, content, base, isPrivate: true, isOverwriting, summary: `${verb} ${shownFact(fact.fact)}` }
        }
        const content = requestedContent(request, null)
        if (isUndo(content)) {
          return {
            object,
            content,
            base: yield* undoRemember(content),
            isPrivate: true,
            summary: "Undo the storing of facts"
          }
        }
        const { ids } = yield* forgottenOf(content)
        const facts = yield* placed([...new Set([targetId, ...ids])], "delete")
        const [first] = facts
        const base = { version: 1, fields: { ids: facts.map(({ id }) => id) } }
        const summary = facts.length === 1 ? `Forget ${shownFact(first.fact)}` : `Forget ${facts.length} facts`
        return { object, content, base, isPrivate: true, summary }
      })

      /**
       * Returns the current state of the facts that a create added. Before an undo, the pod compares this state with
       * the content of the create. The two are equal if all facts of the create are still valid and nobody has repeated
       * one of them. Otherwise they differ, so that the undo fails.
       */
      const undoRemember = Effect.fnUntraced(function* (content: JsonRecord) {
        const { facts } = yield* rememberedOf(content)
        const ids = facts.flatMap(({ id }) => id ?? [])
        const stored = yield* store.byIds(ids, "delete")
        const repeated = yield* store.findRepeated(ids)
        // One create can contain a fact twice. The second occurrence then only increases the count of the fact.
        const countInContent = (id: string) => 1 + repeated.filter((repeat) => repeat.id === id).length
        const isWhole = stored.every(({ count, id, validTo }) => validTo === null && count <= countInContent(id))
        const base: Snapshot = {
          version: 1,
          fields: isWhole ? content : { ...content, facts: stored.map(({ id }) => id) }
        }
        return base
      })

      /**
       * Checks that the caller can access the source entity and the source message of each fact. The sources can be in
       * any space. If the id of a source is not a UUID, the source belongs to another system, so the pod does not look
       * for the source.
       */
      const checkSources = Effect.fnUntraced(function* (facts: ReadonlyArray<NewFact>) {
        const faults: Array<Fault> = []
        const entities = new Set(facts.flatMap(({ sourceEntityId }) => uuidIn(sourceEntityId)))
        for (const id of entities) {
          const found = yield* changers.of("entity")?.current(id, null) ?? Effect.succeed(null)
          if (found === null) faults.push({ path: "sourceEntityId", message: missingRecord("entity").why })
        }
        const messages = new Set(facts.flatMap(({ sourceMessageId }) => uuidIn(sourceMessageId)))
        for (const id of messages) {
          const isThere = yield* Effect.isSuccess(records.get(Message, id))
          if (!isThere) faults.push({ path: "sourceMessageId", message: missingRecord("message").why })
        }
        if (faults.length > 0) return yield* new Invalid({ faults })
      })

      const check: Changer["check"] = Effect.fnUntraced(function* ({ action, content: json, targetId }, moment) {
        if (isUndone(moment)) return { content: json }
        if (moment !== "approved") yield* namesCaller((yield* Reach).principal, [json])
        if (action === "delete") {
          yield* forgottenOf(json)
          return { content: json }
        }
        if (action === "update") {
          yield* holdContentOf(json)
          return { content: json }
        }
        const { facts } = yield* rememberedOf(json)
        const named = facts.flatMap(({ id }) => id ?? [])
        if (new Set(named).size < named.length)
          return yield* invalid("facts", "Two facts have the same id. Send different ids.")
        if (facts.some(isTurnWithoutSession)) return yield* invalid("facts", "A turn needs `sessionId` and `role`.")
        // For an approved write, the statement is limited to the space of the change, but the sources can be in other
        // spaces. So the pod checks the sources when the change is requested.
        if (moment !== "approved") yield* checkSources(facts)
        // The cast is right: `rememberedOf` has decoded the content, so the facts in it are objects.
        const given = (json["facts"] ?? []) as ReadonlyArray<JsonRecord>
        const identified = given.map((fact, at) => ({
          ...fact,
          id: facts[at].id ?? (at === 0 ? targetId : uuidv7())
        }))
        return { content: { ...json, facts: identified } }
      })

      const remember = Effect.fnUntraced(function* (content: JsonRecord, passed: Passed) {
        const { facts, forgets, imported, vector } = yield* rememberedOf(content)
        const identified = facts.map((fact) => ({ ...fact, id: fact.id ?? uuidv7() }))
        return yield* writer.remember(
          { facts: identified, forgets, isImported: imported, vector: vectorOf(vector) },
          passed
        )
      })

      const apply = (
        { action, base, content, targetId }: AppliedChange,
        passed: Passed
      ): Effect.Effect<ReadonlyArray<KeptFact>, WriteRefusal, Reach> =>
        Effect.gen(function* () {
          switch (action) {
            case "create":
              return yield* remember(content, passed)
            case "update": {
              const { isHeld } = yield* holdContentOf(content)
              return yield* isHeld ? writer.restore([targetId], passed) : writer.forget([targetId], "forget", passed)
            }
            case "delete": {
              if (isUndo(content)) {
                const { facts, forgets } = yield* rememberedOf(content)
                return yield* writer.undo(
                  facts.flatMap(({ id }) => id ?? []),
                  forgets,
                  passed
                )
              }
              const { ids } = yield* forgottenOf(content)
              return yield* writer.forget([...new Set([targetId, ...ids])], "forget", passed)
            }
            case "restore": {
              const { ids } = yield* forgottenOf(base?.fields ?? {})
              return yield* writer.restore(ids, passed)
            }
          }
        })

      const overview: Changer["overview"] = {
        counts: Effect.map(store.count, (count) => (count === 0 ? [] : [{ kind: null, workspaceId: null, count }])),
        samples: (limit) =>
          Effect.map(store.list({ limit }), ({ items }) =>
            items.map(({ fact, id }) => ({ id, title: shortenText(fact, wordsShown), kind: null, workspaceId: null }))
          )
      }

      return {
        write: yield* writerOf("memory", {
          traits: memoryTraits,
          current,
          describe,
          check,
          apply,
          overview,
          readBy: readers
        })
      }
    })
  )
}

const snapshotOf = ({ seq, validTo }: KeptFact): Snapshot => ({ version: seq, fields: { isHeld: validTo === null } })

const isByPerson = ({ trust }: KeptFact) => trust === "person"

const isTurnWithoutSession = ({ level, role, sessionId }: NewFact) =>
  (level === "turn" && (sessionId === null || role === null)) ||
  ((level === "summary" || level === "session") && sessionId === null)

const summaryOf = (facts: ReadonlyArray<NewFact>, replaced: number, forgotten: number): string => {
  const [first] = facts
  const what = facts.length === 1 ? `Remember ${shownFact(first.content)}` : `Remember ${facts.length} facts`
  const besides = [
    ...(replaced === 0 ? [] : [`replace ${replaced}`]),
    ...(forgotten === 0 ? [] : [`forget ${forgotten}`])
  ]
  return [what, ...besides].join(", ")
}

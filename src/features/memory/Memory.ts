/**
 * The service of memory. With it, the programs of a person remember, update, forget and recall facts for this person
 * only.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { PagePlace } from "../../doors/PageOrder.ts"
import { type Forbidden, type Invalid, invalid, NotFound, type WriteRefusal } from "../../doors/Failure.ts"
import { namesCaller } from "../../doors/Identity.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { mapPage, type Page, singlePage } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { isUuid, uuidv7 } from "../../platform/Ids.ts"
import type { WriteDetails } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { type GatedWrite, objectIn } from "../gate/Write.ts"
import { isCurrent } from "./FactIndex.ts"
import { FactSpaces } from "./FactSpaces.ts"
import { factsOf, factsOfSession, factsOfTurns, vectorForm } from "./FactDrafts.ts"
import { MemoryChanger, memoryTraits } from "./MemoryChanger.ts"
import type { MemoryContentJson } from "./MemoryContent.ts"
import {
  type FactRevision,
  idsMax,
  type KeptFact,
  type MemoryFact,
  type Trust,
  type WrittenFact
} from "./MemoryFact.ts"
import type { MemoryQuery, RecalledFact, RecallQuery, SimilarQuery } from "./MemoryQuery.ts"
import { hitOf, type RecallHit, sharedWords } from "./RecallHit.ts"
import type { FactDraft, ForgetDraft, MemorySessionDraft, TurnsDraft, WritesDraft } from "./MemoryDraft.ts"
import { MemoryStore } from "./MemoryStore.ts"
import { Recall } from "./Recall.ts"

type Refused = WriteRefusal | Proposed

/** A fact that a model wants the pod to remember. */
export interface Note {
  readonly fact: string
  readonly confidence: number
  readonly category?: string | undefined
  readonly userStated: boolean
}

export interface RecallQuestion {
  readonly query: string
  readonly limit: number
  readonly asOf?: DateTime.Utc | undefined
  readonly trust?: Trust | undefined
}

const factMissing = missingRecord("memory fact")

export class Memory extends Context.Tag("pod/Memory")<
  Memory,
  {
    /**
     * Lists the caller's facts. If the query has words, the best facts come first. Otherwise the newest facts come
     * first. If the query contains the id of another person, the pod ignores this id. Fails with Invalid if the query
     * asks for forgotten facts together with words or a time.
     */
    readonly list: (query: MemoryQuery) => Effect.Effect<Page<MemoryFact>, Forbidden | Invalid, Reach>
    readonly similar: (query: SimilarQuery) => Effect.Effect<ReadonlyArray<MemoryFact>, Forbidden | Invalid, Reach>
    /** Returns the best facts for a question, in a short form for code that builds an answer from them. */
    readonly recall: (question: RecallQuestion) => Effect.Effect<ReadonlyArray<RecallHit>, never, Reach>
    /**
     * Returns the best facts for a question, each with its score and with the words of the question that the fact
     * contains.
     */
    readonly explain: (query: RecallQuery) => Effect.Effect<ReadonlyArray<RecalledFact>, never, Reach>
    /** Returns the changes of a fact, of the facts that it replaced and of the facts that replaced it, latest first. */
    readonly history: (id: string, page: PagePlace) => Effect.Effect<Page<FactRevision>, NotFound, Reach>
    /**
     * Stores a fact. If a valid fact already says the same, the method increases the count of the valid fact and
     * returns the valid fact.
     */
    readonly remember: (draft: FactDraft) => Effect.Effect<MemoryFact, Refused, Reach>
    /**
     * Stores a fact from a model. A conclusion of an agent waits for the person's approval. A fact that the person
     * stated needs no approval.
     */
    readonly note: (note: Note) => Effect.Effect<MemoryFact, Refused, Reach>
    readonly rememberTurns: (draft: TurnsDraft) => Effect.Effect<WrittenFact, Refused, Reach>
    readonly rememberSession: (draft: MemorySessionDraft) => Effect.Effect<WrittenFact, Refused, Reach>
    /**
     * Writes all entries of a request or none. To forget or update a fact, an entry has in `target` the id of the fact
     * or the name of its topic.
     */
    readonly write: (draft: WritesDraft) => Effect.Effect<WrittenFact, Refused, Reach>
    /** Returns the facts that `forget` would forget for the same request, and changes nothing. */
    readonly wouldForget: (draft: ForgetDraft) => Effect.Effect<WrittenFact, Invalid, Reach>
    readonly forget: (draft: ForgetDraft) => Effect.Effect<WrittenFact, Refused, Reach>
    /** Forgets one fact of the caller's person. Returns false if the person has no valid fact with this id. */
    readonly remove: (id: string) => Effect.Effect<boolean, Refused, Reach>
    /** Restores a fact that was replaced or forgotten. */
    readonly restore: (id: string) => Effect.Effect<MemoryFact, Refused, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* MemoryStore
      const spaces = yield* FactSpaces
      const recall = yield* Recall
      const gate = yield* GovernanceGate
      const { write } = yield* MemoryChanger

      /**
       * Fails with Forbidden if the caller is not allowed to do this action on facts. The service calls this function
       * before any look-up, so that the error does not show whether a fact exists.
       */
      const refuse = (action: GatedWrite["action"]) =>
        Effect.flatMap(Reach, ({ principal: { personId } }) =>
          gate.refuse({
            ...memoryTraits,
            action,
            object: objectIn(personId, personId, null),
            showsRecord: action === "update"
          })
        )

      const ownSpace = Effect.map(Reach, ({ principal }) => principal.personId)

      const isCaller = (userId: string | undefined) =>
        Effect.flatMap(Reach, ({ principal }) => namesCaller(principal, [{ userId }]))

      const rememberFacts = Effect.fnUntraced(function* (content: MemoryContentJson, details: WriteDetails = {}) {
        const spaceId = yield* ownSpace
        const targetId = content.facts[0]?.id ?? uuidv7()
        return yield* write({ action: "create", targetId, spaceId, content: { ...content } }, details)
      })

      const forgetFacts = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
        const [targetId, ...others] = ids
        if (targetId === undefined) return
        const content = others.length === 0 ? {} : { ids: others }
        yield* write({ action: "delete", targetId, spaceId: yield* ownSpace, content })
      })

      /**
       * Makes the answer about written and forgotten facts. A caller who may not read the forgotten facts gets only
       * their number.
       */
      const answerAbout = (written: ReadonlyArray<KeptFact>, forgotten: ReadonlyArray<string>) =>
        Effect.map(forgotten.length === 0 ? Effect.succeed([]) : store.byIds(forgotten, "read"), (readable) => ({
          ...writtenOf([...written, ...forgotten.flatMap((id) => readable.find((fact) => fact.id === id) ?? [])]),
          count: written.length + forgotten.length
        }))

      /** Returns the valid fact with this id, or the valid facts about this topic. `target` is the id or the topic. */
      const named = Effect.fnUntraced(function* (target: string) {
        const { index } = yield* spaces.facts
        const fact = isUuid(target) ? index.get(target.toLowerCase()) : undefined
        return fact === undefined ? index.named(target) : [fact].filter(isCurrent)
      })

      /**
       * Returns the facts to forget. With a query, these are the valid facts that contain all words of the query.
       * Without a query, these are the valid facts with these ids, except the facts on which the caller is not allowed
       * to do this action.
       */
      const factsToForget = ({ ids, query }: ForgetDraft, action: "read" | "delete") =>
        query === undefined
          ? Effect.map(store.byIds([...new Set(ids)], action), (found) => found.filter(isCurrent))
          : Effect.catchTag(recall.withEveryWord(query, idsMax), "TooManyFacts", ({ count }) =>
              invalid(
                "query",
                `The request would forget ${count} facts, but one request may forget at most ${idsMax}. Send more words, or fewer ids.`
              )
            )

      return {
        // All reads ignore the id of another person. So `list` lists the caller's own facts.
        list: Effect.fnUntraced(function* ({ q, query, userId: _other, ...page }) {
          const words = (query ?? q ?? "").trim()
          if (page.forgotten && (words !== "" || page.asOf !== undefined)) {
            return yield* invalid("forgotten", "Forgotten facts are only listed. Leave out the words and `asOf`.")
          }
          if (words === "") return mapPage(yield* store.list(page), wireOf)
          const ranked = yield* recall.byWords(words, page)
          return singlePage(ranked.map(({ fact }) => wireOf(fact)))
        }),
        similar: Effect.fnUntraced(function* ({ embedding, userId, ...question }) {
          yield* isCaller(userId)
          return (yield* recall.byVector(embedding, question)).map(({ fact }) => wireOf(fact))
        }),
        recall: ({ query, ...question }) => Effect.map(recall.byWords(query, question), (ranked) => ranked.map(hitOf)),
        explain: ({ q, ...question }) =>
          Effect.map(recall.byWords(q, question), (ranked) =>
            ranked.map(({ fact, score }) => ({ fact: wireOf(fact), score, words: sharedWords(q, fact.fact) }))
          ),
        history: Effect.fnUntraced(function* (id, page) {
          const found = yield* store.history(id, page)
          if (found.items.length === 0 && (yield* store.byIds([id], "read")).length === 0) return yield* factMissing
          return found
        }),
        remember: (draft) =>
          Effect.map(
            rememberFacts({ facts: factsOf(draft), imported: draft.imported, vector: vectorForm(draft.embedding) }),
            ([fact]) => wireOf(fact)
          ),
        note: Effect.fnUntraced(function* ({ category = null, confidence, fact, userStated }) {
          const { holder } = (yield* Reach).principal
          const facts = [{ id: uuidv7(), content: fact, confidence, target: category }]
          const isForced = holder.kind === "agent" && !userStated
          const [stored] = yield* rememberFacts({ facts }, { isForced })
          return wireOf(stored)
        }),
        rememberTurns: (draft) =>
          Effect.map(
            rememberFacts({
              facts: factsOfTurns(draft),
              imported: draft.imported,
              vector: vectorForm(draft.embedding)
            }),
            writtenOf
          ),
        rememberSession: (draft) =>
          Effect.map(rememberFacts({ facts: factsOfSession(draft), imported: draft.imported }), writtenOf),
        write: Effect.fnUntraced(function* ({ confidence, entries, imported }) {
          const actions = new Set(entries.map(({ action }) => action))
          if (actions.has("update")) yield* refuse("update")
          if (actions.has("forget")) yield* refuse("delete")
          const facts: Array<MemoryContentJson["facts"][number]> = []
          const forgets: Array<string> = []
          for (const [at, { action, content, target }] of entries.entries()) {
            if (action === "forget") {
              forgets.push(...(yield* named(target)).map(({ id }) => id))
              continue
            }
            if (content === "") return yield* invalid(`entries.${at}.content`, "Send the text to remember.")
            const before = action === "update" ? yield* named(target) : []
            // An update can name the old fact by its id. The new fact then gets the topic of the old fact, and not the
            // id, as its `target`.
            const name = before.find(({ target: known }) => known !== null)?.target ?? target
            const replaces = before.map(({ id }) => id)
            facts.push({ id: uuidv7(), level: "write", content, target: name, confidence, replaces })
          }
          const unique = [...new Set(forgets)]
          if (facts.length === 0) {
            yield* forgetFacts(unique)
            return yield* answerAbout([], unique)
          }
          return yield* answerAbout(yield* rememberFacts({ facts, forgets: unique, imported }), unique)
        }),
        wouldForget: (draft) => Effect.map(factsToForget(draft, "read"), writtenOf),
        forget: Effect.fnUntraced(function* (draft) {
          yield* refuse("delete")
          const ids = (yield* factsToForget(draft, "delete")).map(({ id }) => id)
          yield* forgetFacts(ids)
          return yield* answerAbout([], ids)
        }),
        remove: Effect.fnUntraced(function* (id) {
          yield* refuse("delete")
          const [fact] = yield* store.byIds([id], "delete")
          if (fact === undefined || fact.validTo !== null) return false
          yield* forgetFacts([id])
          return true
        }),
        restore: Effect.fnUntraced(function* (id) {
          const spaceId = yield* ownSpace
          const content = { isHeld: true }
          const [fact] = yield* write({ action: "update", targetId: id, spaceId, content })
          return wireOf(fact)
        })
      }
    })
  )
}

const wireOf = ({ lineage: _lineage, sameHash: _hash, seq: _seq, ...fact }: KeptFact): MemoryFact => fact

const writtenOf = (facts: ReadonlyArray<KeptFact>): WrittenFact => ({
  success: true,
  facts: facts.map(wireOf),
  count: facts.length
})

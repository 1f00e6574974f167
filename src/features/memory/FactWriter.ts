/**
 * Writes changes of facts after the gate has allowed the changes. It plans a write from the current facts, and then
 * writes the rows. If another write changes the facts in the meantime, the service plans its write again.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { afterCommit } from "../../platform/CommitHooks.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import type { GatedWrite } from "../gate/Write.ts"
import { covers } from "../grants/GrantMatcher.ts"
import { FactPlan } from "./FactPlan.ts"
import { FactSpaces } from "./FactSpaces.ts"
import type { NewFact } from "./MemoryContent.ts"
import type { KeptFact, Trust } from "./MemoryFact.ts"
import { memoryBounds } from "./FactTable.ts"
import { MemoryStore } from "./MemoryStore.ts"
import type { FactWrite } from "./FactWrite.ts"
import { packVector } from "../search/vectors/PackedVector.ts"

// The maximum number of times that the pod plans one write. The pod plans again only after another write has succeeded.
const triesMax = 100

export interface FactsToWrite {
  readonly facts: ReadonlyArray<NewFact & { readonly id: string }>
  readonly forgets: ReadonlyArray<string>
  readonly isImported: boolean
  readonly vector: ReadonlyArray<number> | undefined
}

type Action = GatedWrite["action"]

/** The facts that a write added, changed or repeated, in the order of the request. */
type WrittenFacts = Effect.Effect<ReadonlyArray<KeptFact>, Conflict, Reach>

export class FactWriter extends Context.Tag("pod/FactWriter")<
  FactWriter,
  {
    readonly remember: (what: FactsToWrite, passed: Passed) => WrittenFacts
    readonly forget: (ids: ReadonlyArray<string>, reason: string, passed: Passed) => WrittenFacts
    /** Restores ended facts. Fails with Conflict if a valid fact says the same as a fact to restore. */
    readonly restore: (ids: ReadonlyArray<string>, passed: Passed) => WrittenFacts
    /**
     * Undoes a `remember` call: restores the facts that the call ended, and ends the facts that the call added. If the
     * call only repeated a fact, lowers the count of this fact.
     */
    readonly undo: (ids: ReadonlyArray<string>, forgets: ReadonlyArray<string>, passed: Passed) => WrittenFacts
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* MemoryStore
      const spaces = yield* FactSpaces

      /**
       * Plans a write with the function `work` and writes it. `work` returns the ids of the facts that the request
       * names or adds. The first try uses the index of this process, so it needs no statement that reads new facts. If
       * the first try writes nothing, the next try reads the new facts from the database.
       */
      const planned = (write: WriteOfFacts, work: PlanFacts): WrittenFacts =>
        Effect.suspend(() => {
          let attempts = 0
          return Effect.retry(
            Effect.suspend(() => tryOnce(write, work, attempts++ === 0)),
            { times: triesMax, while: (failure) => failure === factsChanged }
          )
        })

      const tryOnce = (
        { action, isImported = false, passed }: WriteOfFacts,
        work: PlanFacts,
        isFirst: boolean
      ): WrittenFacts =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const inMemory = isFirst ? yield* spaces.inMemory : undefined
          const { index, isFull, known } = inMemory ?? (yield* spaces.facts)
          const isCertain = inMemory === undefined
          if (isFull && action === "create") return yield* isCertain ? memoryFull : factsChanged
          const plan = new FactPlan({
            index,
            now: yield* DateTime.now,
            trust: trustOf(reach, isImported),
            ...rightsOf(reach)
          })
          const { conflict, ids, vector } = work(plan, {
            isKnown: (id) => index.get(id) !== undefined,
            supersededBy: (of) => index.supersededBy(of)
          })
          if (conflict !== undefined) return yield* isCertain ? conflict : factsChanged
          if (plan.facts.length === 0 && !isCertain) return yield* factsChanged
          const answerOf = (facts: ReadonlyArray<KeptFact>) =>
            ids.flatMap((id) => facts.find((fact) => fact.id === id) ?? index.get(id) ?? [])
          if (plan.facts.length === 0) return answerOf([])
          const meant = packVector(vector)
          const rows: FactWrite = {
            known,
            facts: plan.facts,
            revisions: plan.revisions,
            vector: meant === null ? null : { packed: meant, factIds: [...new Set(ids)] }
          }
          const written = yield* store.write(action, rows, eventOf(action, rows), passed)
          if (Option.isSome(written)) {
            yield* afterCommit(spaces.wrote(reach.principal.personId, known, written.value))
            return answerOf(written.value)
          }
          if (memoryBounds(reach, action).spaces.length === 0) {
            return yield* Effect.dieMessage("a fact was written outside the reach of its call")
          }
          if (!isCertain) return yield* factsChanged
          const newer = yield* spaces.facts
          // The write failed, but the database has no newer write. So the index contains rows of a transaction that was
          // rolled back. After the reset, the pod reads the index again from the database.
          if (newer.known === known) yield* spaces.reset
          return yield* factsChanged
        })

      return {
        remember: ({ facts, forgets, isImported, vector }, passed) =>
          planned({ action: "create", passed, isImported }, (plan, { isKnown }) => {
            if (facts.some(({ id }) => isKnown(id))) return { ids: [], conflict: idTaken }
            const ids = plan.add(facts)
            for (const id of forgets) plan.end(id, "forget")
            return { ids, vector }
          }),
        forget: (ids, reason, passed) =>
          planned({ action: "delete", passed }, (plan) => {
            for (const id of ids) plan.end(id, reason)
            return { ids }
          }),
        restore: (ids, passed) =>
          planned({ action: "update", passed }, (plan) => {
            const isFree = ids.every((id) => plan.restore(id, "restore"))
            return isFree ? { ids } : { ids: [], conflict: alreadyCurrent }
          }),
        undo: (ids, forgets, passed) =>
          Effect.flatMap(store.findRepeated(ids), (repeated) =>
            planned({ action: "delete", passed }, (plan, { supersededBy }) => {
              const superseded = supersededBy(ids).map(({ id }) => id)
              for (const id of ids) plan.end(id, "revert")
              for (const { id, writtenAs } of repeated) plan.undoRepeat(id, writtenAs)
              const isFree = [...superseded, ...forgets].every((id) => plan.restore(id, "revert"))
              return isFree ? { ids } : { ids: [], conflict: alreadyCurrent }
            })
          )
      }
    })
  )
}

interface KnownFacts {
  readonly isKnown: (id: string) => boolean
  readonly supersededBy: (ids: ReadonlyArray<string>) => ReadonlyArray<KeptFact>
}

interface WriteOfFacts {
  readonly action: Action
  readonly passed: Passed
  readonly isImported?: boolean
}

type PlanFacts = (plan: FactPlan, facts: KnownFacts) => PlannedIds

interface PlannedIds {
  readonly ids: ReadonlyArray<string>
  readonly vector?: ReadonlyArray<number> | undefined
  readonly conflict?: Conflict
}

const factsChanged = new Conflict({
  code: "VERSION_CONFLICT",
  why: "Other calls wrote facts of this person at the same time. Send the request again."
})

const memoryFull = new Conflict({
  code: "MEMORY_FULL",
  why: "The facts of this person use all the memory that the pod has for facts. Forget some facts, or ask the operator of the pod to set `POD_SEARCH_MEMORY` to a larger size."
})

const idTaken = new Conflict({
  code: "ALREADY_THERE",
  why: "A fact with one of these ids already exists. Send other ids."
})

const alreadyCurrent = new Conflict({
  code: "ALREADY_THERE",
  why: "The person already has a current fact with the same content, so the pod cannot restore this fact."
})

const trustOf = ({ principal }: ReachShape, isImported: boolean): Trust =>
  isImported ? "import" : principal.holder.kind === "agent" ? "agent" : "person"

/**
 * Returns two rights. `mayCountRepeats`: if the caller repeats a stored fact, the pod is allowed to count the
 * repetition. `maySupersede`: the caller is allowed to replace older facts.
 */
const rightsOf = (reach: ReachShape) => {
  const { holder } = reach.principal
  const asGrant = { permissions: holder.capabilities, workspaceIds: null, projectIds: null, entityIds: null }
  const isCapable = holder.kind !== "agent" || covers(asGrant, { subject: "memory", kind: null, action: "update" })
  return {
    mayCountRepeats: memoryBounds(reach, "read").spaces.length > 0,
    maySupersede: isCapable && memoryBounds(reach, "update").spaces.length > 0
  }
}

// An event names at most this many ids of added facts, of repeated facts and of ended facts each. The event leaves out
// further ids. The pod can still find them, because the revision of every fact names its event.
const idsInEventMax = 50

/** Returns the event of a write. It contains the ids of the facts that the write changed, and never their texts. */
const eventOf = (action: Action, { facts, revisions }: FactWrite): EventDraft => {
  const idsOf = (what: string) =>
    revisions.flatMap((row) => (row.what === what ? [row.factId] : [])).slice(0, idsInEventMax)
  const [first] = facts
  return {
    type: `memory.${action}`,
    subjectId: first.id,
    data: { type: "memory", count: facts.length, added: idsOf("add"), folded: idsOf("fold"), ended: idsOf("end") }
  }
}

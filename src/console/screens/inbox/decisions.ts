/** The queue of decisions in this browser tab, and the messages about the results of decisions. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { hub } from "../../api/hub.ts"
import { beforeLeaving } from "../../api/leaving.ts"
import { Refusal } from "../../api/refusal.ts"
import { allPeopleQuery } from "../../api/wholeLists.ts"
import { showToast } from "../../ui/Toasts.tsx"
import { type Decision, DecisionQueue, type Outcome } from "./DecisionQueue.ts"
import { alreadyDecidedText } from "./inboxText.ts"

export const undoMs = 5_000

let queries: QueryClient | undefined

/** Reads the names of people that the signed-in person may see. Returns a function that finds the name for an id. */
const nameOf = async () => {
  const people = await queries?.fetchQuery({ ...allPeopleQuery, retry: false }).catch(() => [])
  return (id: string | null | undefined) => people?.find((each) => each.id === id)?.name ?? "another person"
}

/**
 * A sentence that says why a decision had no effect. If somebody else decided earlier, the sentence names that person
 * and the time.
 */
const sentenceOf = async ({ failure, proposal: { id } }: Outcome): Promise<string> => {
  if (failure instanceof Refusal && failure.code === "PROPOSAL_SETTLED") {
    const found = await hub("GET /api/hub/proposals/:id", { params: { id } }).catch(() => undefined)
    if (found !== undefined) return alreadyDecidedText(found, await nameOf(), Date.now())
  }
  return failure instanceof Error ? failure.message : String(failure)
}

/** One line of the list of results after a decision about several proposals. */
export interface OutcomeLine {
  readonly id: string
  readonly summary: string
  /** What happened, such as `Approved.` */
  readonly text: string
  readonly isDone: boolean
}

const past = { approve: "Approved", reject: "Rejected" } as const

let batch: ReadonlyArray<OutcomeLine> | undefined
const batchListeners = new Set<() => void>()
export const showBatch = (lines: ReadonlyArray<OutcomeLine> | undefined): void => {
  batch = lines
  for (const listener of batchListeners) listener()
}

const report = async (outcomes: ReadonlyArray<Outcome>) => {
  const lines = await Promise.all(
    outcomes.map(async (outcome): Promise<OutcomeLine> => {
      const { id, summary } = outcome.proposal
      return outcome.failure === undefined
        ? { id, summary, text: `${past[outcome.verb]}.`, isDone: true }
        : { id, summary, text: await sentenceOf(outcome), isDone: false }
    })
  )
  await queries?.invalidateQueries({ queryKey: ["proposals"] })
  decisions.forget(lines.map(({ id }) => id))
  const failed = lines.find(({ isDone }) => !isDone)
  if (lines.length > 1) showBatch(lines)
  else if (failed !== undefined) showToast({ text: `${failed.summary}: ${failed.text}`, stayMs: 20_000 })
}

export const decisions = new DecisionQueue({
  waitMs: undoMs,
  send: (verb, { contentHash, id, revision }, { reason, reasonCode }: Decision) =>
    verb === "approve"
      ? hub(
          "POST /api/hub/proposals/:id/approve",
          { params: { id }, body: { expectedRevision: revision, contentHash } },
          { isKeptAlive: true }
        )
      : hub(
          "POST /api/hub/proposals/:id/reject",
          {
            params: { id },
            body: {
              ...(reason === undefined ? {} : { reason }),
              // The form offers only codes of this type, so the cast is safe.
              ...(reasonCode === undefined ? {} : { reasonCode: reasonCode as ReasonCode })
            }
          },
          { isKeptAlive: true }
        ),
  onOutcomes: (outcomes) => void report(outcomes)
})

type ReasonCode = "incorrect" | "incomplete" | "not_wanted" | "duplicate" | "unsafe" | "other"

beforeLeaving(decisions.flush)

/**
 * The ids of the proposals about which this tab has decided, and the results of the last decision about several
 * proposals.
 */
export const useDecisions = () => {
  queries = useQueryClient()
  const decided = useSyncExternalStore(decisions.subscribe, decisions.ids)
  const outcomes = useSyncExternalStore(
    (listener) => {
      batchListeners.add(listener)
      return () => batchListeners.delete(listener)
    },
    () => batch
  )
  return { decided, outcomes }
}

/** Decides about proposals, and shows a message with Undo. */
export const decide = (decision: Decision): void => {
  const undo = decisions.decide(decision)
  const [first] = decision.proposals
  const what = decision.proposals.length === 1 ? `“${first?.summary ?? ""}”` : `${decision.proposals.length} proposals`
  showToast({
    text: `${past[decision.verb]} ${what}. This takes effect in ${undoMs / 1000} seconds, or when you leave.`,
    action: { name: "Undo", run: () => void undo() },
    stayMs: undoMs
  })
}

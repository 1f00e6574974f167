/**
 * The queue of decisions that a person has made and can still undo. Each decision waits a few seconds before the
 * console sends it. If the person leaves the page, the console sends it at once. The decisions wait because the pod
 * cannot revert a rejection, and can revert only some approvals.
 */
export interface QueuedDecision {
  readonly id: string
  readonly summary: string
  /** The revision of the proposal that the person saw. `contentHash` is the hash of the content of this revision. */
  readonly revision: number
  readonly contentHash: string
}

export type Verb = "approve" | "reject"

export interface Decision {
  readonly verb: Verb
  readonly proposals: ReadonlyArray<QueuedDecision>
  readonly reason?: string
  readonly reasonCode?: string
}

export interface Outcome {
  readonly proposal: QueuedDecision
  readonly verb: Verb
  /** The error of a failed decision. Undefined if the pod carried the decision out. */
  readonly failure?: unknown
}

export interface QueueParts {
  /** Sends one decision. Rejects with the refusal of the pod. */
  readonly send: (verb: Verb, proposal: QueuedDecision, decision: Decision) => Promise<unknown>
  /** Called once for each decision, after the pod has answered about every proposal of the decision. */
  readonly onOutcomes: (outcomes: ReadonlyArray<Outcome>) => void
  readonly waitMs: number
}

interface PendingDecision {
  readonly decision: Decision
  readonly timer: ReturnType<typeof setTimeout>
}

export class DecisionQueue {
  readonly #parts: QueueParts
  readonly #listeners = new Set<() => void>()
  readonly #sending = new Set<Promise<void>>()
  #pending: ReadonlyArray<PendingDecision> = []
  /** The ids of the proposals about which this tab has decided and whose result is not known yet. */
  #ids: ReadonlySet<string> = new Set()

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  /**
   * The ids of the proposals that the person has decided about. The list of waiting proposals leaves these proposals
   * out.
   */
  readonly ids = (): ReadonlySet<string> => this.#ids

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Adds a decision. Returns a function that undoes the decision. That function returns false if the decision was
   * already sent.
   */
  readonly decide = (decision: Decision): (() => boolean) => {
    const pending: PendingDecision = {
      decision,
      timer: setTimeout(() => void this.#release(pending), this.#parts.waitMs)
    }
    this.#pending = [...this.#pending, pending]
    this.#change([...this.#ids, ...decision.proposals.map(({ id }) => id)])
    return () => this.#takeBack(pending)
  }

  /** Undoes the last decision and returns it. Undefined if all decisions have been sent. */
  readonly undoLast = (): Decision | undefined => {
    const last = this.#pending.at(-1)
    return last !== undefined && this.#takeBack(last) ? last.decision : undefined
  }

  /** Sends all waiting decisions now. Resolves when the pod has answered all of them. */
  readonly flush = async (): Promise<void> => {
    await Promise.all([...this.#pending.map((pending) => this.#release(pending)), ...this.#sending])
  }

  /**
   * Removes ids from the set of decided proposals. The inbox then shows such a proposal again if the pod still lists it
   * as waiting.
   */
  readonly forget = (ids: ReadonlyArray<string>): void => this.#change([...this.#ids].filter((id) => !ids.includes(id)))

  readonly #takeBack = (pending: PendingDecision): boolean => {
    if (!this.#pending.includes(pending)) return false
    clearTimeout(pending.timer)
    this.#pending = this.#pending.filter((each) => each !== pending)
    this.forget(pending.decision.proposals.map(({ id }) => id))
    return true
  }

  readonly #release = (pending: PendingDecision): Promise<void> => {
    if (!this.#pending.includes(pending)) return Promise.resolve()
    clearTimeout(pending.timer)
    this.#pending = this.#pending.filter((each) => each !== pending)
    const sent = this.#sendAll(pending.decision)
    this.#sending.add(sent)
    return sent.finally(() => this.#sending.delete(sent))
  }

  readonly #sendAll = async (decision: Decision): Promise<void> => {
    const { proposals, verb } = decision
    // All requests must start at once, because a page that closes runs nothing after the first `await`.
    const outcomes = await Promise.all(
      proposals.map((proposal): Promise<Outcome> =>
        this.#parts.send(verb, proposal, decision).then(
          () => ({ proposal, verb }),
          (failure: unknown) => ({ proposal, verb, failure })
        )
      )
    )
    this.#parts.onOutcomes(outcomes)
  }

  readonly #change = (ids: ReadonlyArray<string>): void => {
    this.#ids = new Set(ids)
    for (const listener of this.#listeners) listener()
  }
}

/**
 * Decisions that a person has made and can still undo. Each decision waits a few seconds before it is sent; if the
 * person leaves the page, it is sent at once. The queue waits because some approvals, and all rejections, cannot be
 * reverted on the pod.
 */
export interface Decided {
  readonly id: string
  readonly summary: string
  /** The revision of the proposal that the person saw. `contentHash` is the hash of its content. */
  readonly revision: number
  readonly contentHash: string
}

export type Verb = "approve" | "reject"

export interface Decision {
  readonly verb: Verb
  readonly proposals: ReadonlyArray<Decided>
  readonly reason?: string
  readonly reasonCode?: string
}

export interface Outcome {
  readonly proposal: Decided
  readonly verb: Verb
  /** The error if the decision failed; undefined if the pod carried it out. */
  readonly failure?: unknown
}

export interface QueueParts {
  /** Sends one decision. Rejects with the refusal of the pod. */
  readonly send: (verb: Verb, proposal: Decided, decision: Decision) => Promise<unknown>
  /** Called once for each decision, after the pod has answered for all of its proposals. */
  readonly onOutcomes: (outcomes: ReadonlyArray<Outcome>) => void
  readonly waitMs: number
}

interface Held {
  readonly decision: Decision
  readonly timer: ReturnType<typeof setTimeout>
}

export class DecisionQueue {
  readonly #parts: QueueParts
  readonly #listeners = new Set<() => void>()
  readonly #sending = new Set<Promise<void>>()
  #held: ReadonlyArray<Held> = []
  /** The ids of proposals that were decided here and whose result is not known yet. */
  #ids: ReadonlySet<string> = new Set()

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  /** The ids of proposals that the person has decided about. The list of waiting proposals leaves them out. */
  readonly ids = (): ReadonlySet<string> => this.#ids

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Adds a decision. Returns a function that undoes the decision. It returns false if the decision was already sent.
   */
  readonly decide = (decision: Decision): (() => boolean) => {
    const held: Held = { decision, timer: setTimeout(() => void this.#release(held), this.#parts.waitMs) }
    this.#held = [...this.#held, held]
    this.#change([...this.#ids, ...decision.proposals.map(({ id }) => id)])
    return () => this.#takeBack(held)
  }

  /** Undoes the last decision and returns it. Undefined if all decisions have been sent. */
  readonly undoLast = (): Decision | undefined => {
    const last = this.#held.at(-1)
    return last !== undefined && this.#takeBack(last) ? last.decision : undefined
  }

  /** Sends all waiting decisions now. Resolves when the pod has answered all of them. */
  readonly flush = async (): Promise<void> => {
    await Promise.all([...this.#held.map((held) => this.#release(held)), ...this.#sending])
  }

  /**
   * Removes ids from the decided proposals. If the pod still lists such a proposal as waiting, the inbox shows the
   * proposal again.
   */
  readonly forget = (ids: ReadonlyArray<string>): void => this.#change([...this.#ids].filter((id) => !ids.includes(id)))

  readonly #takeBack = (held: Held): boolean => {
    if (!this.#held.includes(held)) return false
    clearTimeout(held.timer)
    this.#held = this.#held.filter((each) => each !== held)
    this.forget(held.decision.proposals.map(({ id }) => id))
    return true
  }

  readonly #release = (held: Held): Promise<void> => {
    if (!this.#held.includes(held)) return Promise.resolve()
    clearTimeout(held.timer)
    this.#held = this.#held.filter((each) => each !== held)
    const sent = this.#sendAll(held.decision)
    this.#sending.add(sent)
    return sent.finally(() => this.#sending.delete(sent))
  }

  readonly #sendAll = async (decision: Decision): Promise<void> => {
    const { proposals, verb } = decision
    // All requests start at once: when a page closes, nothing after the first `await` runs.
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

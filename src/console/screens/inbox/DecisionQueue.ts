/**
 * Decisions that a person has made and can still take back. Each waits for a few seconds and is then sent; leaving the
 * page sends it at once. An approval is not sent at once and reverted, because some approvals cannot be reverted, and a
 * rejection never can.
 */
export interface Decided {
  readonly id: string
  readonly summary: string
  /** The revision and the content that the person saw. */
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
  /** Undefined if the pod carried out the decision. */
  readonly failure?: unknown
}

export interface QueueParts {
  /** Sends one decision. Rejects with the refusal of the pod. */
  readonly send: (verb: Verb, proposal: Decided, decision: Decision) => Promise<unknown>
  /** Called once for a decision, when all of it was sent. */
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
  /** Ids that are decided here and not yet known to be settled. */
  #ids: ReadonlySet<string> = new Set()

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  /** Proposals that the person has decided about, and that a list of waiting ones leaves out. */
  readonly ids = (): ReadonlySet<string> => this.#ids

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Answers a function that takes the decision back, and says whether that was still possible. */
  readonly decide = (decision: Decision): (() => boolean) => {
    const held: Held = { decision, timer: setTimeout(() => void this.#release(held), this.#parts.waitMs) }
    this.#held = [...this.#held, held]
    this.#change([...this.#ids, ...decision.proposals.map(({ id }) => id)])
    return () => this.#takeBack(held)
  }

  /** Takes the last decision back. Answers it; undefined if all are sent. */
  readonly undoLast = (): Decision | undefined => {
    const last = this.#held.at(-1)
    return last !== undefined && this.#takeBack(last) ? last.decision : undefined
  }

  /** Sends everything that waits, and ends when all of it was answered. */
  readonly flush = async (): Promise<void> => {
    await Promise.all([...this.#held.map((held) => this.#release(held)), ...this.#sending])
  }

  /** The proposals are shown again wherever the pod still lists them. */
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
    // Started at once, because a page that goes away runs nothing after its first wait.
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

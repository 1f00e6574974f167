/**
 * Keeps the turns of each session in order. Each turn has a link to the turn before it and a link to the turn after it.
 */

export const none = -1

/** The links of one direction: for each turn, the number of the turn before it, or of the turn after it. */
export type Links = ReadonlyArray<number>

export class TurnChain {
  private readonly links: { readonly before: Array<number>; readonly after: Array<number> } = { before: [], after: [] }
  private readonly sessions = new Map<string, Array<number>>()
  private readonly turns: Array<number> = []

  get directions(): readonly [before: Links, after: Links] {
    return [this.links.before, this.links.after]
  }

  /** Returns the fact number of each turn of a session, in the order of the session. */
  of(sessionId: string): ReadonlyArray<number> {
    return this.sessions.get(sessionId) ?? []
  }

  /** Adds a fact that is not a turn. The fact has no turn before or after it. */
  addAlone(number: number): void {
    this.links.before[number] = none
    this.links.after[number] = none
  }

  /**
   * Puts a turn into the chain of its session, at the place that its number gives. The search for the place starts at
   * the end of the session, because a new turn is usually the last turn.
   */
  join(sessionId: string, number: number, turn: number): void {
    const { after: following, before: preceding } = this.links
    this.turns[number] = turn
    let session = this.sessions.get(sessionId)
    if (session === undefined) this.sessions.set(sessionId, (session = []))
    let at = session.length
    while (at > 0 && this.turns[session[at - 1]] > turn) at--
    session.splice(at, 0, number)
    const [before, after] = [session[at - 1] ?? none, session[at + 1] ?? none]
    preceding[number] = before
    following[number] = after
    if (before !== none) following[before] = number
    if (after !== none) preceding[after] = number
  }
}

/** Returns the nearest valid turn in the direction of `links`, or `none` if there is no such turn. */
export const beside = (number: number, links: Links, visible: Uint8Array): number => {
  let next = links[number]
  while (next !== none && visible[next] === 0) next = links[next]
  return next
}

/**
 * Plans a write of facts from the current facts. The plan says which facts are new, which facts only repeat a stored
 * fact, and which facts end. The plan does not check the rights of the caller, because `PlanContext` says what the
 * caller is allowed to do.
 */
import type { DateTime } from "effect"
import { type FactIndex, isCurrent } from "./FactIndex.ts"
import { contentOf, sameHash, summaryText, turnText, writeText } from "./FactWords.ts"
import type { NewFact } from "./MemoryContent.ts"
import { type KeptFact, type Level, type Trust, trustLevels } from "./MemoryFact.ts"
import type { FactRow, RevisionRow } from "./FactWrite.ts"
import { areNearDuplicates, duplicateKey } from "./NearDuplicates.ts"
import { supersession } from "./Supersession.ts"

// the maximum number of stored facts that are compared with a new fact to find a duplicate
const alikeMax = 50
// the maximum number of facts that one search returns; the search finds older facts that a new fact possibly replaces
const olderMax = 30

export interface PlanContext {
  readonly index: FactIndex
  readonly now: DateTime.Utc
  readonly trust: Trust
  /**
   * Whether the caller is allowed to read the facts. If not, the answer must not show which facts exist. So the pod
   * then stores a repeated fact as a new fact, and does not count the repetition.
   */
  readonly mayCountRepeats: boolean
  /** Whether a new fact is allowed to replace an older fact if a rule of `Supersession.ts` applies. */
  readonly maySupersede: boolean
}

type FactStatement = Omit<FactRow, "isNew" | "isEnded" | "endsAt">
type IdentifiedFact = NewFact & { readonly id: string }

const isWritten = ({ level }: { readonly level: Level }) => level === "fact" || level === "write"
const rankOf = (trust: Trust) => trustLevels.indexOf(trust)

const rowOf = (fact: KeptFact): FactRow => {
  const { actorId: _actor, createdAt: _created, seq: _seq, updatedAt: _updated, userId: _user, validTo, ...row } = fact
  return { ...row, isNew: false, isEnded: validTo !== null, endsAt: null }
}

/** Returns the stored text of a new fact. Except for plain facts, the text begins with where the fact comes from. */
const factText = (
  { content, level, replaces, role, sessionId, target }: IdentifiedFact,
  turn: number | null
): string => {
  switch (level) {
    case "turn":
      return turnText(sessionId ?? "", turn ?? 0, role ?? "", content)
    case "summary":
      return summaryText(sessionId ?? "", content)
    case "session":
      return `${sessionId ?? ""} summary: ${content}`
    case "write":
      return writeText(replaces.length > 0 ? "update" : "remember", target ?? "", content)
    case "fact":
      return content
  }
}

export class FactPlan {
  private readonly rows = new Map<string, FactRow>()
  private readonly revisionRows: Array<RevisionRow> = []
  private readonly added: Array<FactRow> = []
  /**
   * The facts of `added` whose level is `fact` or `write`, by `duplicateKey`. Two facts that say the same always have
   * the same `duplicateKey`.
   */
  private readonly addedBy = new Map<string, ReadonlyArray<FactRow>>()
  private readonly context: PlanContext

  constructor(context: PlanContext) {
    this.context = context
  }

  get facts(): ReadonlyArray<FactRow> {
    return [...this.rows.values()]
  }

  get revisions(): ReadonlyArray<RevisionRow> {
    return this.revisionRows
  }

  /** Returns the fact with the changes that this plan has made so far. Returns undefined if no such fact exists. */
  private row(id: string): FactRow | undefined {
    const planned = this.rows.get(id)
    if (planned !== undefined) return planned
    const stored = this.context.index.get(id)
    return stored === undefined ? undefined : rowOf(stored)
  }

  private isCurrent(id: string): boolean {
    const planned = this.rows.get(id)
    if (planned !== undefined) return !planned.isEnded
    const stored = this.context.index.get(id)
    return stored !== undefined && isCurrent(stored)
  }

  private addRevision(row: FactRow, what: RevisionRow["what"], more: Partial<RevisionRow> = {}) {
    const { fact, id: factId, lineage, sourceEntityId, sourceMessageId } = row
    const { trust } = this.context
    const revision = { factId, lineage, what, fact, trust, reason: null, supersededBy: null, writtenAs: null }
    this.revisionRows.push({ ...revision, sourceEntityId, sourceMessageId, ...more })
  }

  private put(row: FactRow) {
    this.rows.set(row.id, row)
  }

  /**
   * Ends a fact. Does nothing if the fact has already ended. A replaced fact ends at the time at which the new fact
   * becomes valid, so the two facts are never valid at the same time.
   */
  end(id: string, reason: string, by: Pick<FactRow, "id" | "validFrom"> | null = null): void {
    const row = this.row(id)
    if (row === undefined || row.isEnded) return
    const supersededBy = by?.id ?? null
    const ended = { ...row, isEnded: true, endsAt: by?.validFrom ?? null, endReason: reason, supersededBy }
    this.put(ended)
    this.addRevision(ended, "end", { reason, supersededBy })
  }

  /** Restores an ended fact. Returns false and changes nothing if another valid fact says the same. */
  restore(id: string, reason: string): boolean {
    const row = this.row(id)
    if (row === undefined || !row.isEnded) return true
    const same = this.context.index.same(row.sameHash)
    if (same !== undefined && same.id !== id && this.isCurrent(same.id)) return false
    const restored = { ...row, isEnded: false, endsAt: null, endReason: null, supersededBy: null }
    this.put(restored)
    this.addRevision(restored, "restore", { reason })
    return true
  }

  /** Undoes one repetition of a fact: lowers the count of the fact by one. */
  undoRepeat(id: string, writtenAs: string): void {
    const row = this.row(id)
    if (row === undefined || row.count < 2) return
    const remaining = { ...row, count: row.count - 1 }
    this.put(remaining)
    this.addRevision(remaining, "unfold", { writtenAs })
  }

  /**
   * Adds facts in their order. Returns for each fact the id under which the pod stores it. If a fact repeats a stored
   * fact, this is the id of the stored fact.
   */
  add(facts: ReadonlyArray<IdentifiedFact>): ReadonlyArray<string> {
    const turns = this.turnNumbers(facts)
    return facts.map((fact, at) => this.addOne(fact, turns[at] ?? null))
  }

  private addOne(newFact: IdentifiedFact, turn: number | null): string {
    const { content, replaces } = newFact
    const statement = this.statementOf(newFact, turn)
    const same = this.sameAs(statement, content)
    const replaced = replaces.filter((id) => this.isCurrent(id) && id !== same?.id)
    if (same !== undefined) {
      const { fact, id: writtenAs, sourceEntityId, sourceMessageId } = statement
      const trust = rankOf(statement.trust) > rankOf(same.trust) ? statement.trust : same.trust
      this.put({ ...same, trust, count: same.count + 1 })
      this.addRevision(same, "fold", { fact, writtenAs, sourceEntityId, sourceMessageId })
      for (const id of replaced) this.end(id, "update", { id: same.id, validFrom: null })
      return same.id
    }
    const superseded = replaced.length > 0 ? [] : this.supersededBy(statement, content)
    const session = this.sessionBefore(statement)
    const before = [...replaced, ...superseded.map(({ id }) => id), ...session].flatMap((id) => this.row(id) ?? [])
    const row: FactRow = {
      ...statement,
      lineage: before[0]?.lineage ?? statement.id,
      isNew: true,
      isEnded: false,
      endsAt: null
    }
    this.put(row)
    this.added.push(row)
    if (isWritten(row)) this.addedBy.set(duplicateKey(content), [...this.addedLike(content), row])
    this.addRevision(row, "add")
    for (const id of replaced) this.end(id, "update", row)
    for (const { id, rule } of superseded) this.end(id, `rule ${rule}`, row)
    for (const id of session) this.end(id, "session", row)
    return row.id
  }

  private addedLike(content: string): ReadonlyArray<FactRow> {
    return this.addedBy.get(duplicateKey(content)) ?? []
  }

  private statementOf(newFact: IdentifiedFact, turn: number | null): FactStatement {
    const { content: _content, id, level, replaces: _replaces, role, sessionId, target, ...common } = newFact
    const fact = factText(newFact, turn)
    const statement = { fact, level, role, saidAt: common.saidAt, sessionId, target, turn }
    const hash = sameHash(statement)
    return {
      ...statement,
      ...common,
      validFrom: this.validFrom(newFact),
      id,
      lineage: id,
      trust: this.context.trust,
      sameHash: this.context.mayCountRepeats ? hash : `${hash} ${id}`,
      count: 1,
      supersededBy: null,
      endReason: null
    }
  }

  /**
   * Returns the time from which a new fact is valid. This is the time that the request names, or else the time when the
   * person said the fact. Null means the time when the pod records the fact. If `saidAt` is later than the clock of
   * this process, the function also returns null, and the fact is valid immediately.
   */
  private validFrom({ saidAt, validFrom }: NewFact): DateTime.Utc | null {
    return validFrom ?? (isBefore(saidAt, this.context.now) ? saidAt : null)
  }

  /**
   * Finds the valid fact that says the same as a new fact. If both facts have the level `fact` or `write`, nearly the
   * same words are enough. Otherwise, the two facts must have the same words. Returns undefined if there is no such
   * fact.
   */
  private sameAs(statement: FactStatement, content: string): FactRow | undefined {
    if (!this.context.mayCountRepeats) return undefined
    const exact = this.context.index.same(statement.sameHash)
    if (exact !== undefined && this.isCurrent(exact.id)) return this.row(exact.id)
    const inPlan = this.added.find((row) => row.sameHash === statement.sameHash && this.isCurrent(row.id))
    if (inPlan !== undefined) return this.row(inPlan.id)
    if (!isWritten(statement)) return undefined
    const mayBe = (row: Pick<FactRow, "level" | "target" | "id">) =>
      isWritten(row) && this.isCurrent(row.id) && (statement.target === null || statement.target === row.target)
    const stored = this.context.index.perhapsSame(content, alikeMax, mayBe)
    const found = [...this.addedLike(content).filter(mayBe), ...stored].find((row) =>
      areNearDuplicates(content, contentOf(row))
    )
    return found === undefined ? undefined : this.row(found.id)
  }

  /**
   * Finds the older facts that a new fact replaces by a rule. A rule replaces only facts of the levels `fact` and
   * `write` whose trust is not higher than the trust of the new fact.
   */
  private supersededBy(statement: FactStatement, content: string) {
    const { index, mayCountRepeats, maySupersede } = this.context
    if (!isWritten(statement) || !mayCountRepeats || !maySupersede) return []
    const ruleFor = supersession(content)
    if (ruleFor === null) return []
    const since = statement.validFrom ?? statement.saidAt
    const mayBe = (row: FactRow | KeptFact) =>
      isWritten(row) &&
      this.isCurrent(row.id) &&
      rankOf(this.rows.get(row.id)?.trust ?? row.trust) <= rankOf(statement.trust) &&
      !isBefore(since, row.saidAt ?? row.validFrom)
    const stored = index.perhapsReplaced(content, olderMax, mayBe)
    return [...this.added.filter(mayBe), ...stored].flatMap((row) => {
      const rule = ruleFor(contentOf(row))
      return rule === undefined ? [] : [{ id: row.id, rule }]
    })
  }

  /**
   * Returns the id of the earlier fact of level `session` for the same session. The new fact replaces the earlier fact,
   * because a session has only one such fact.
   */
  private sessionBefore({ level, sessionId, trust }: FactStatement): ReadonlyArray<string> {
    if (level !== "session" || sessionId === null || !this.context.mayCountRepeats || !this.context.maySupersede)
      return []
    const before = this.context.index.sessionOf(sessionId)
    return before !== undefined && this.isCurrent(before.id) && rankOf(before.trust) <= rankOf(trust) ? [before.id] : []
  }

  /**
   * Returns the numbers that the turns of the request get in their session. If a client sends a session again from its
   * start, each turn gets the number of the stored turn, so that no turn is stored twice. Otherwise, the turns get the
   * next free numbers.
   */
  private turnNumbers(facts: ReadonlyArray<IdentifiedFact>): ReadonlyArray<number | undefined> {
    const sent = facts.filter(({ level }) => level === "turn")
    const [first] = sent
    if (first === undefined) return []
    const { index } = this.context
    const sentAgain = index.turnsBefore(first.sessionId ?? "", sent.length)
    const isAgain =
      this.context.mayCountRepeats &&
      sentAgain.length > 0 &&
      sentAgain.every((turn) => isSameTurn(turn, sent[turn.turn ?? 0]))
    let next = isAgain ? 0 : index.nextTurn(first.sessionId ?? "")
    return facts.map((fact) => (fact.level === "turn" ? next++ : undefined))
  }
}

const isSameTurn = (fact: KeptFact, { content, role }: NewFact) => fact.role === role && contentOf(fact) === content

const isBefore = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one !== null && other !== null && one.epochMillis < other.epochMillis

/** Makes rows of memory facts for tests of stores. The rows have the same form as the rows of a planned write. */
import { sameHash } from "../../../src/features/memory/FactWords.ts"
import type { FactRow, FactWrite, RevisionRow } from "../../../src/features/memory/FactWrite.ts"
import { packVector } from "../../../src/features/search/vectors/PackedVector.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"

export const aFactRow = (over: Partial<FactRow> = {}): FactRow => {
  const id = over.id ?? uuidv7()
  const statement = {
    fact: "The harbour opens at nine.",
    level: "fact" as const,
    role: null,
    saidAt: null,
    sessionId: null,
    target: null,
    turn: null,
    ...over
  }
  return {
    isNew: true,
    isEnded: false,
    endsAt: null,
    lineage: id,
    trust: "person",
    confidence: 0.8,
    sameHash: sameHash(statement),
    count: 1,
    sourceEntityId: null,
    sourceMessageId: null,
    validFrom: null,
    supersededBy: null,
    endReason: null,
    ...statement,
    id
  }
}

export const aRevision = (row: FactRow, over: Partial<RevisionRow> = {}): RevisionRow => ({
  factId: row.id,
  lineage: row.lineage,
  what: "add",
  fact: row.fact,
  trust: row.trust,
  reason: null,
  supersededBy: null,
  sourceEntityId: row.sourceEntityId,
  sourceMessageId: row.sourceMessageId,
  writtenAs: null,
  ...over
})

export const aFactWrite = (rows: ReadonlyArray<FactRow> = [aFactRow()], over: Partial<FactWrite> = {}): FactWrite => ({
  known: 0,
  facts: rows,
  revisions: rows.map((row) => aRevision(row)),
  vector: null,
  ...over
})

/** Makes an embedding with the value 1 on one axis, the value `beside` on the next axis, and 0 on all others. */
export const anEmbedding = (axis: number, beside = 0): ReadonlyArray<number> =>
  Array.from({ length: 1536 }, (_, at) => (at === axis ? 1 : at === axis + 1 ? beside : 0))

export const aVector = (axis: number, beside = 0) => {
  const vector = packVector(anEmbedding(axis, beside))
  if (vector === null) throw new Error("a vector of a test is not zero")
  return vector
}

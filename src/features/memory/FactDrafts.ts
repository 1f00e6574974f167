/** Makes facts from the request bodies of the memory routes. */
import { uuidv7 } from "../../platform/Ids.ts"
import { isoOrNull } from "../../platform/RowTimes.ts"
import type { MemoryContentJson } from "./MemoryContent.ts"
import type { FactDraft, MemorySessionDraft, TurnsDraft } from "./MemoryDraft.ts"
import { bytesOfFloats } from "../search/vectors/PackedVector.ts"

type Facts = MemoryContentJson["facts"]

const turnConfidence = 0.8
const summaryConfidence = 0.9

/**
 * Converts an embedding to the text form in which a change stores the embedding. Returns null if there is no embedding,
 * or if all its numbers are zero.
 */
export const vectorForm = (embedding: ReadonlyArray<number> | undefined): string | null =>
  embedding === undefined || embedding.every((each) => each === 0)
    ? null
    : bytesOfFloats(Float32Array.from(embedding)).toString("base64")

export const factsOf = ({ confidence, fact, saidAt, sourceEntityId, sourceMessageId, validFrom }: FactDraft): Facts => [
  {
    id: uuidv7(),
    level: "fact",
    content: fact,
    confidence,
    saidAt: isoOrNull(saidAt),
    validFrom: isoOrNull(validFrom),
    sourceEntityId,
    sourceMessageId
  }
]

/**
 * Makes one fact for each turn, in the order of the turns, and then one fact for the summary if the draft has a
 * summary.
 */
export const factsOfTurns = (draft: TurnsDraft): Facts => {
  const { confidence, sessionId, sourceEntityId, sourceMessageId, summary, turns } = draft
  const common = { sessionId, sourceEntityId, sourceMessageId }
  const facts = turns.map(({ content, role, saidAt }) => ({
    ...common,
    id: uuidv7(),
    level: "turn" as const,
    content,
    role,
    confidence: confidence ?? turnConfidence,
    saidAt: isoOrNull(saidAt ?? draft.saidAt)
  }))
  if (summary === undefined || summary === null) return facts
  const whole = { content: summary, confidence: confidence ?? summaryConfidence, saidAt: isoOrNull(draft.saidAt) }
  return [...facts, { ...common, id: uuidv7(), level: "summary", ...whole }]
}

export const factsOfSession = (draft: MemorySessionDraft): Facts => {
  const { confidence, metadata, saidAt, sessionId, summary, tags, turnCount = 0 } = draft
  const further = metadata === undefined ? "" : JSON.stringify(metadata)
  const content = `${summary} turns: ${turnCount} tags: ${tags.join(", ")} metadata: ${further}`
  return [{ id: uuidv7(), level: "session", content, sessionId, confidence, saidAt: isoOrNull(saidAt) }]
}

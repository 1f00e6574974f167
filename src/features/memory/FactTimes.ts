/** Which facts hold at a time, and which of them a read asks for. */
import { DateTime } from "effect"
import type { MemoryFact, Narrowing } from "./MemoryFact.ts"

type Held = Pick<MemoryFact, "createdAt" | "validFrom" | "validTo">

/**
 * Whether a fact holds: at the given time, or now. Now, a fact holds from its recording on whatever the clock of this process
 * says, because another one may have recorded it; only one that is dated into the future waits for its time.
 */
export const holdsAt = ({ createdAt, validFrom, validTo }: Held, asOf: DateTime.Utc | undefined, now: DateTime.Utc) =>
  asOf === undefined
    ? validTo === null &&
      (DateTime.lessThanOrEqualTo(validFrom, createdAt) || DateTime.lessThanOrEqualTo(validFrom, now))
    : DateTime.lessThanOrEqualTo(validFrom, asOf) && (validTo === null || DateTime.greaterThan(validTo, asOf))

/** Whether a read asks for this fact, besides its time. */
export const isNarrowed = (fact: MemoryFact, { level, sessionId, trust }: Narrowing): boolean =>
  (level === undefined || fact.level === level) &&
  (trust === undefined || fact.trust === trust) &&
  (sessionId === undefined || fact.sessionId === sessionId)

/** Which facts hold at a time, and which of them a read asks for. */
import { DateTime } from "effect"
import type { MemoryFact, Narrowing } from "./MemoryFact.ts"

type Held = Pick<MemoryFact, "createdAt" | "validFrom" | "validTo">

/**
 * Whether a fact holds at the time `asOf`, or now if it is undefined. Now, a fact holds from its recording on, whatever
 * the clock of this process says, because another process may have recorded it. Only a fact that is dated into the
 * future waits for its time.
 */
export const holdsAt = ({ createdAt, validFrom, validTo }: Held, asOf: DateTime.Utc | undefined, now: DateTime.Utc) =>
  asOf === undefined
    ? validTo === null &&
      (DateTime.lessThanOrEqualTo(validFrom, createdAt) || DateTime.lessThanOrEqualTo(validFrom, now))
    : DateTime.lessThanOrEqualTo(validFrom, asOf) && (validTo === null || DateTime.greaterThan(validTo, asOf))

/** Whether the filters of a read select this fact. The time of the fact does not count here. */
export const isNarrowed = (fact: MemoryFact, { level, sessionId, trust }: Narrowing): boolean =>
  (level === undefined || fact.level === level) &&
  (trust === undefined || fact.trust === trust) &&
  (sessionId === undefined || fact.sessionId === sessionId)

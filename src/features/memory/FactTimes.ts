/** Tells whether a fact is valid at a time, and whether it matches the filters of a read. */
import { DateTime } from "effect"
import type { MemoryFact } from "./MemoryFact.ts"
import type { Narrowing } from "./MemoryQuery.ts"

type FactPeriod = Pick<MemoryFact, "createdAt" | "validFrom" | "validTo">

/**
 * Whether a fact is valid at the time `asOf`, or now if `asOf` is undefined. The clock decides only about a fact whose
 * start was in the future when the fact was recorded. Every other fact is valid as soon as it is recorded. The function
 * does not compare such a fact with the clock, because another process with a later clock might have recorded it.
 */
export const holdsAt = (
  { createdAt, validFrom, validTo }: FactPeriod,
  asOf: DateTime.Utc | undefined,
  now: DateTime.Utc
) =>
  asOf === undefined
    ? validTo === null &&
      (DateTime.lessThanOrEqualTo(validFrom, createdAt) || DateTime.lessThanOrEqualTo(validFrom, now))
    : DateTime.lessThanOrEqualTo(validFrom, asOf) && (validTo === null || DateTime.greaterThan(validTo, asOf))

/** Whether a fact matches the filters of a read. The times of the fact are not checked here. */
export const isNarrowed = (fact: MemoryFact, { level, sessionId, trust }: Narrowing): boolean =>
  (level === undefined || fact.level === level) &&
  (trust === undefined || fact.trust === trust) &&
  (sessionId === undefined || fact.sessionId === sessionId)

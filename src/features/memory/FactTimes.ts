/** Tells whether a fact is valid at a time, and whether it matches the filters of a read. */
import { DateTime } from "effect"
import type { MemoryFact } from "./MemoryFact.ts"
import type { FactFilters } from "./MemoryQuery.ts"

type FactPeriod = Pick<MemoryFact, "createdAt" | "validFrom" | "validTo">

/**
 * Returns true if a fact is valid at the time `asOf`, or now if `asOf` is undefined. The clock matters only for a fact
 * whose start was in the future when the pod recorded it. Every other fact is valid as soon as the pod has recorded it.
 * For these other facts the function ignores the clock, because a node with a later clock possibly recorded them.
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

/** Returns true if a fact was forgotten: it is no longer valid, and no other fact replaced it. */
export const isForgotten = ({ supersededBy, validTo }: Pick<MemoryFact, "supersededBy" | "validTo">): boolean =>
  validTo !== null && supersededBy === null

/** Returns true if a fact matches the filters of a read. Does not check the times of the fact. */
export const isNarrowed = (fact: MemoryFact, { level, sessionId, trust }: FactFilters): boolean =>
  (level === undefined || fact.level === level) &&
  (trust === undefined || fact.trust === trust) &&
  (sessionId === undefined || fact.sessionId === sessionId)

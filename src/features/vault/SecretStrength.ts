/** Estimates how hard a secret is to guess, and counts the entries that their owner should change. */
import { DateTime } from "effect"
import type { StoredEntry } from "./VaultEntry.ts"

// the minimum number of bits; with a stolen hash, an attacker can find a weaker secret by trying all values
const weakBits = 60
export const oldDays = 365

const alphabets: ReadonlyArray<readonly [of: RegExp, size: number]> = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/, 33],
  [/[^\x20-\x7e]/, 100]
]

/**
 * Common words in passwords. Each word counts as only one character, because guessing programs try such words first.
 */
const known = /pass(?:word|wort)?|qwert[yz]|admin|welcome|letmein|secret|abc123|iloveyou/gi

/**
 * Returns the maximum number of bits that a secret can have, by its length and its kinds of characters. A character
 * adds nothing if it repeats the character before it (`aaa`) or continues a sequence (`1234`). A well-known word counts
 * as one character.
 */
export const strengthOf = (secret: string): number => {
  const size = alphabets.reduce((sum, [of, letters]) => sum + (of.test(secret) ? letters : 0), 0)
  const codes = Array.from(secret.replace(known, "p"), (letter) => letter.codePointAt(0) ?? 0)
  const counted = codes.filter((code, at) => at === 0 || Math.abs(code - codes[at - 1]) > 1)
  return Math.floor(counted.length * Math.log2(Math.max(size, 1)))
}

export interface SecurityFigures {
  readonly total: number
  readonly weak: number
  readonly reused: number
  readonly old: number
  readonly expired: number
}

/**
 * Counts the entries that their owner should change, by reason. Counts an entry with several reasons once for each
 * reason.
 */
export const figuresOf = (entries: ReadonlyArray<StoredEntry>, now: DateTime.Utc): SecurityFigures => {
  const uses = new Map<string, number>()
  const keyOf = ({ valueHash }: StoredEntry) => valueHash.toString("base64")
  for (const entry of entries) uses.set(keyOf(entry), (uses.get(keyOf(entry)) ?? 0) + 1)
  const count = (isCounted: (entry: StoredEntry) => boolean) => entries.filter(isCounted).length
  const oldBefore = DateTime.subtract(now, { days: oldDays })
  return {
    total: entries.length,
    weak: count(({ strengthBits }) => strengthBits < weakBits),
    reused: count((entry) => (uses.get(keyOf(entry)) ?? 0) > 1),
    old: count(({ rotatedAt }) => DateTime.lessThan(rotatedAt, oldBefore)),
    expired: count(({ expiresAt }) => expiresAt !== null && DateTime.lessThanOrEqualTo(expiresAt, now))
  }
}

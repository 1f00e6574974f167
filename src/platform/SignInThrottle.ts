/**
 * Counts failed sign-in attempts in limited memory: by client address, by address and account together, and by account.
 * Wrong guesses from one address lock the account only for this address. Guesses from many addresses lock the account
 * for all new addresses. If the person has signed in from an address before, guesses from other addresses never lock
 * the account for this address. Successful sign-ins have a limit of their own for each account.
 */
import { Effect, Exit, Option } from "effect"
import { elapsedMs } from "./ElapsedTime.ts"
import { isIPv4, isIPv6 } from "node:net"
import type { EmailAddress, NewSignIn, SignInRefused } from "./SignIn.ts"
import { SignInThrottled } from "./SignIn.ts"
import { removeOldest } from "./OldestEntry.ts"

/** Allows `burst` attempts at once, then one more every `refillMs` milliseconds. */
interface Limit {
  readonly burst: number
  readonly refillMs: number
}

// The limit for one address. Successful attempts do not count, so an office behind one address is limited only by its
// failed attempts.
export const addressLimit: Limit = { burst: 20, refillMs: 15_000 }
// The limit for one account from one address.
export const pairLimit: Limit = { burst: 10, refillMs: 120_000 }
// The limit for one account from all addresses: 770 guesses a day. The burst is larger than the burst of `pairLimit`,
// and both limits refill at the same speed. So guesses from one address alone cannot use up this limit.
export const accountLimit: Limit = { burst: 50, refillMs: 120_000 }
// The limit for the successful sign-ins of one account. Each costs a slow hash and a stored session, so without a limit
// one person could keep the processor of the pod busy. Only the right password counts, so nobody else can use it up.
export const successLimit: Limit = { burst: 200, refillMs: 6_000 }
// the maximum number of addresses, accounts or pairs that a limit counts; with the longest e-mail addresses, they take
// about 2 MB
const trackedMax = 10_000

/**
 * Stores each bucket as one number: the time when the bucket will be full again (generic cell rate algorithm, ITU-T
 * I.371).
 */
export const makeBuckets = (limit: Limit, capacity: number) => {
  const fullAt = new Map<string, number>()
  const spanMs = limit.burst * limit.refillMs
  const makeRoom = (now: number) => {
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key)
    if (fullAt.size < capacity) return
    // The least used buckets are removed first. Otherwise many new keys could remove the bucket of an account that is
    // under attack.
    const byLastUse = [...fullAt].sort(([, left], [, right]) => left - right)
    for (const [key] of byLastUse.slice(0, Math.ceil(capacity / 10))) fullAt.delete(key)
  }
  return {
    /** Takes one attempt from the bucket. Returns the milliseconds to wait; 0 means that the attempt is allowed. */
    take: (key: string, now: number): number => {
      const next = Math.max(fullAt.get(key) ?? now, now) + limit.refillMs
      if (next - now > spanMs) return next - now - spanMs
      if (!fullAt.has(key) && fullAt.size >= capacity) makeRoom(now)
      fullAt.set(key, next)
      return 0
    },
    /** Returns the milliseconds until the next attempt is allowed. Takes nothing from the bucket. */
    waitOf: (key: string, now: number): number =>
      Math.max(0, Math.max(fullAt.get(key) ?? now, now) + limit.refillMs - now - spanMs),
    giveBack: (key: string): void => {
      const at = fullAt.get(key)
      if (at !== undefined) fullAt.set(key, at - limit.refillMs)
    },
    size: () => fullAt.size
  }
}

/**
 * Returns the part of an address that a client cannot easily change: the whole of an IPv4 address, and the first 64
 * bits of an IPv6 address. An IPv4 address that is mapped into IPv6 counts as IPv4.
 */
export const clientKey = (address: string): string => {
  const bare = address.split("%", 1)[0] ?? ""
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return bare.slice(0, 64)
  // The class URL converts every form of an address to one canonical form.
  const [head = "", tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split("::")
  const front = head === "" ? [] : head.split(":")
  const back = tail === undefined || tail === "" ? [] : tail.split(":")
  const groups = [...front, ...Array.from({ length: 8 - front.length - back.length }, () => "0"), ...back]
  if (groups.slice(0, 5).every((group) => group === "0") && groups[5] === "ffff") {
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join(".")
  }
  return groups.slice(0, 4).join(":")
}

/** Makes the store of the latest pairs of an address and an account with which a sign-in succeeded in this process. */
const makeKnownPairs = (capacity: number) => {
  const pairs = new Set<string>()
  return {
    has: (pair: string): boolean => pairs.has(pair),
    add: (pair: string): void => {
      // moves the pair to the end of the set, so that the set removes it last
      pairs.delete(pair)
      pairs.add(pair)
      if (pairs.size > capacity) removeOldest(pairs)
    }
  }
}

const givenBack = <E>(work: Effect.Effect<NewSignIn, E>, succeeded: () => void) =>
  Effect.onExit(work, (exit) => Effect.sync(() => (Exit.isSuccess(exit) ? succeeded() : undefined)))

/**
 * Runs one attempt. The attempt is counted before the work begins, so that parallel attempts cannot all pass. The count
 * is undone only if the work succeeds, so an attempt still counts if its client disconnects early.
 */
export const makeSignInThrottle = Effect.sync(() => {
  const addresses = makeBuckets(addressLimit, trackedMax)
  const pairs = makeBuckets(pairLimit, trackedMax)
  const accounts = makeBuckets(accountLimit, trackedMax)
  const successes = makeBuckets(successLimit, trackedMax)
  const known = makeKnownPairs(trackedMax)
  const throttled = (waitMs: number) => new SignInThrottled({ retryAfterSeconds: Math.ceil(waitMs / 1000) })
  return <E extends SignInRefused>(
    attempt: { readonly address: string; readonly email: Option.Option<EmailAddress> },
    work: Effect.Effect<NewSignIn, E>
  ) =>
    Effect.gen(function* () {
      const now = yield* elapsedMs
      const client = clientKey(attempt.address)
      const waitAddress = addresses.take(client, now)
      if (waitAddress > 0) return yield* throttled(waitAddress)
      if (Option.isNone(attempt.email)) return yield* givenBack(work, () => addresses.giveBack(client))
      const account = attempt.email.value
      const pair = `${client} ${account}`
      const waitPair = pairs.take(pair, now)
      if (waitPair > 0) return yield* throttled(waitPair)
      const isKnown = known.has(pair)
      const giveBack = () => {
        addresses.giveBack(client)
        pairs.giveBack(pair)
      }
      const waitSuccess = successes.waitOf(account, now)
      if (waitSuccess > 0) {
        giveBack()
        return yield* throttled(waitSuccess)
      }
      const waitAccount = isKnown ? 0 : accounts.take(account, now)
      if (waitAccount > 0) {
        // no password was checked, so the attempt is not counted; the caller might be the real person
        giveBack()
        return yield* throttled(waitAccount)
      }
      return yield* givenBack(work, () => {
        giveBack()
        if (!isKnown) accounts.giveBack(account)
        known.add(pair)
        successes.take(account, now)
      })
    })
})

/**
 * Caches for a short time to which principal a valid credential belongs. If several requests need a credential at the
 * same time, looks the credential up only once. An outdated entry does no harm, because each SQL statement checks the
 * credential again.
 */
import { Deferred, Effect, Exit, FiberId } from "effect"
import { hash } from "node:crypto"
import { localOperator, type PresentedCredential, type Principal } from "../../doors/Principal.ts"
import { removeOldest } from "../../platform/OldestEntry.ts"

const rememberedMax = 10_000 // the maximum number of cached credentials; the cache removes the oldest first
const touchEveryMs = 60_000 // milliseconds; the pod stores the last use of a key at most once in this time

interface CachedCredential {
  readonly principal: Principal
  readonly lookedUpMs: number
  usesUnwritten: number
  touchedMs: number
}

/**
 * Returns true if the principal of the entry has not expired and the pod looked up the credential at most `withinMs`
 * ago. The time of the look-up can also be up to `withinMs` in the future, because somebody can set the clock of the
 * machine back.
 */
const isTrusted = ({ lookedUpMs, principal }: CachedCredential, nowMs: number, withinMs: number) =>
  (principal.expiresAt === null || principal.expiresAt.getTime() > nowMs) && Math.abs(nowMs - lookedUpMs) <= withinMs

/**
 * Returns the name by which the cache finds a credential. Returns undefined for a request without a credential. The
 * name is a hash without a pepper, because the hash never leaves this process.
 */
const nameOf = (presented: PresentedCredential): string | undefined => {
  if (presented.kind === "bearer") return `bearer ${hash("sha256", presented.secret, "base64")}`
  if (presented.kind === "session") return `session ${hash("sha256", presented.token, "base64")}`
  return presented.kind === "operator" ? localOperator : undefined
}

/** Makes an empty cache. The cache calls `touch` to store how often a key was used. */
export const makeCredentialCache = <E>(touch: (keyId: string, times: number) => void) => {
  const cache = new Map<string, CachedCredential>()
  /** The running look-ups, by the name of the credential. The result is undefined if the look-up was interrupted. */
  const running = new Map<string, Deferred.Deferred<Exit.Exit<Principal, E> | undefined>>()
  // One request asks several times about the same credential object. This map keeps the hash of each object, so the pod
  // computes the hash only once.
  const names = new WeakMap<PresentedCredential, string | undefined>()

  const idOf = (presented: PresentedCredential): string | undefined => {
    const known = names.get(presented)
    if (known !== undefined) return known
    const name = nameOf(presented)
    names.set(presented, name)
    return name
  }

  const remember = (id: string, principal: Principal, nowMs: number) => {
    const earlier = cache.get(id)
    if (earlier === undefined && cache.size >= rememberedMax) removeOldest(cache)
    cache.set(id, {
      principal,
      lookedUpMs: nowMs,
      usesUnwritten: earlier?.usesUnwritten ?? 0,
      touchedMs: earlier?.touchedMs ?? nowMs - touchEveryMs
    })
  }

  /** Records the use of a key, at most once a minute. */
  const noteUse = (entry: CachedCredential, nowMs: number) => {
    entry.usesUnwritten += 1
    if (Math.abs(nowMs - entry.touchedMs) < touchEveryMs || entry.principal.credential.kind !== "key") return
    entry.touchedMs = nowMs
    const times = entry.usesUnwritten
    entry.usesUnwritten = 0
    touch(entry.principal.credential.id, times)
  }

  const noteUseOf = (id: string, nowMs: number) => {
    const entry = cache.get(id)
    if (entry !== undefined) noteUse(entry, nowMs)
  }

  /**
   * Looks up a credential. If a look-up of the same credential already runs, the caller gets the result of that
   * look-up. The cache keeps the result, unless a credential was removed from the cache during the look-up. In that
   * case, the look-up possibly read the credential before its revocation.
   */
  const lookUpOnce = (id: string, nowMs: number, lookUp: Effect.Effect<Principal, E>): Effect.Effect<Principal, E> =>
    Effect.suspend(() => {
      const earlier = running.get(id)
      if (earlier !== undefined) {
        return Effect.flatMap(Deferred.await(earlier), (exit) => exit ?? lookUpOnce(id, nowMs, lookUp))
      }
      const own = Deferred.unsafeMake<Exit.Exit<Principal, E> | undefined>(FiberId.none)
      running.set(id, own)
      return Effect.onExit(lookUp, (exit) =>
        Effect.sync(() => {
          if (running.get(id) === own) {
            running.delete(id)
            if (Exit.isSuccess(exit)) remember(id, exit.value, nowMs)
            else cache.delete(id)
          }
          Deferred.unsafeDone(own, Effect.succeed(Exit.isInterrupted(exit) ? undefined : exit))
        })
      )
    })

  return {
    /**
     * Returns the cached principal of a credential. Returns undefined if the cache has no principal, or if the cached
     * principal is older than `withinMs`.
     */
    recall: (presented: PresentedCredential, nowMs: number, withinMs: number): Principal | undefined => {
      const id = idOf(presented)
      const entry = id === undefined ? undefined : cache.get(id)
      if (entry === undefined || !isTrusted(entry, nowMs, withinMs)) return undefined
      noteUse(entry, nowMs)
      return entry.principal
    },
    /** Looks up a credential, and keeps the principal in the cache. */
    load: (
      presented: PresentedCredential,
      nowMs: number,
      lookUp: Effect.Effect<Principal, E>
    ): Effect.Effect<Principal, E> => {
      const id = idOf(presented)
      return id === undefined
        ? lookUp
        : Effect.tap(lookUpOnce(id, nowMs, lookUp), () => Effect.sync(() => noteUseOf(id, nowMs)))
    },
    forget: (presented: PresentedCredential): void => {
      const id = idOf(presented)
      if (id === undefined) return
      cache.delete(id)
      running.delete(id)
    },
    /**
     * Removes the credential with this id, and all credentials of the holder or person with this id. The cache does not
     * know whose credentials the running look-ups read. So the cache does not keep the result of any look-up that is
     * now running.
     */
    forgetAll: (id: string): void => {
      running.clear()
      for (const [name, { principal }] of cache) {
        const { credential, holder, personId } = principal
        if (credential.id === id || holder.id === id || personId === id) cache.delete(name)
      }
    }
  }
}

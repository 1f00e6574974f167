/** The store of calendar feeds. Each person has at most one feed, and the hash of its token identifies the feed. */
import { Context, DateTime, Effect, Layer } from "effect"
import { keyIdOf } from "../../doors/Principal.ts"
import type { Reach } from "../../doors/Reach.ts"
import { MemoryDatabase, memoryTable } from "../../platform/MemoryDatabase.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import type { Orderer } from "../access/StandingReach.ts"

/** Makes the event which says that a feed was created or removed. The event does not contain the token. */
export const calendarEvent = (action: "create" | "delete", personId: string) => ({
  type: `calendar.${action}`,
  subjectId: personId,
  data: {}
})

/** The hash of the token of a feed, and a mark that identifies the pepper with which the pod made the hash. */
export interface StoredToken {
  readonly hash: Buffer
  readonly secretMark: string
}

export class CalendarStore extends Context.Tag("pod/CalendarStore")<
  CalendarStore,
  {
    /** When the token of the person's feed was made. Null if the person has no feed. */
    readonly createdAt: Effect.Effect<DateTime.Utc | null, never, Reach>
    /**
     * Gives the person's feed this token, and records which key made the call. The former token is then no longer
     * valid.
     */
    readonly put: (token: StoredToken, passed: Passed) => Effect.Effect<void, never, Reach>
    /** Removes the feed of the caller's person. Returns false if there is no feed. */
    readonly remove: (passed: Passed) => Effect.Effect<boolean, never, Reach>
    /**
     * Finds the feed that has one of these hashes. Returns the person who owns the feed, the key that made the feed,
     * and the hash. Returns null if there is no such feed. The pod calls this before it knows the caller.
     */
    readonly ordererOf: (hashes: ReadonlyArray<Buffer>) => Effect.Effect<(Orderer & { readonly hash: Buffer }) | null>
    /** Replaces the hash of a feed. The new hash is made from the same token with another pepper. */
    readonly rehash: (former: Buffer, next: StoredToken) => Effect.Effect<void>
    /** Counts the feeds whose hash was not made with the pepper that `secretMark` identifies. */
    readonly countOtherMark: (secretMark: string) => Effect.Effect<number>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { atomically, rows: current } = yield* MemoryDatabase
      const { read, write } = yield* memoryStatements
      const isOwn = ({ reach }: ReadContext) =>
        reach.bounds("calendar", "read").spaces.includes(reach.principal.personId)
      const own = (at: ReadContext) => (isOwn(at) ? at.rows.find(feedTable, at.reach.principal.personId) : undefined)
      return {
        createdAt: read((at) => Effect.succeed(own(at)?.createdAt ?? null)),
        put: (token, passed) =>
          write((at) => {
            const { personId } = at.reach.principal
            if (isOwn(at)) {
              at.rows.put(feedTable, { personId, keyId: keyIdOf(at.reach.principal), ...token, createdAt: at.now })
              at.append(personId, calendarEvent("create", personId), passed)
            }
            return Effect.void
          }),
        remove: (passed) =>
          write((at) => {
            const feed = own(at)
            if (feed === undefined) return Effect.succeed(false)
            at.rows.remove(feedTable, feed.personId)
            at.append(feed.personId, calendarEvent("delete", feed.personId), passed)
            return Effect.succeed(true)
          }),
        ordererOf: (hashes) =>
          Effect.map(current, (rows) => {
            const feed = rows.all(feedTable).find(({ hash }) => hashes.some((each) => each.equals(hash)))
            return feed === undefined ? null : { personId: feed.personId, keyId: feed.keyId, hash: feed.hash }
          }),
        rehash: (former, next) =>
          atomically((rows) =>
            Effect.sync(() => {
              const feed = rows.all(feedTable).find(({ hash }) => hash.equals(former))
              if (feed !== undefined) rows.put(feedTable, { ...feed, ...next })
            })
          ),
        countOtherMark: (secretMark) =>
          Effect.map(current, (rows) => rows.all(feedTable).filter((each) => each.secretMark !== secretMark).length)
      }
    })
  )
}

const feedTable = memoryTable<Orderer & StoredToken & { readonly createdAt: DateTime.Utc }>(
  "calendar_feeds",
  ({ personId }) => personId
)

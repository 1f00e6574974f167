/**
 * Wakes the streams of this node. A write of this node wakes the streams of the same person after the commit. Once a
 * second, one statement for all streams finds the writes of other nodes and the credentials that have lost access. So
 * an idle stream costs almost nothing.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { AuthorityLost } from "../../doors/Authority.ts"
import { anyNews, type News } from "../../doors/Batch.ts"
import { noClient, type ReachShape, systemReach, Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { authorityName, EventFeed, type WatchedPositions } from "./EventFeed.ts"
import type { StreamPosition } from "./StreamPosition.ts"

/** The time between two checks for writes of other nodes. */
export class LookEvery extends Context.Reference<LookEvery>()("pod/LookEvery", {
  defaultValue: () => Duration.seconds(1)
}) {}

interface Watcher {
  readonly heads: StreamPosition
  readonly authority: WatchedPositions["authorities"][number] | null
  readonly wake: () => void
}

export class EventWatch extends Context.Tag("pod/EventWatch")<
  EventWatch,
  {
    /**
     * Returns a number (the mark) that grows with each write of the person. A reader takes the mark before it reads the
     * log, and gives it to `newsAfter`.
     */
    readonly mark: (reach: ReachShape) => number
    /**
     * Tells a reader when there are new events. `heads` says how far the reader has read each space. `mark` was taken
     * before the reader read the log.
     */
    readonly newsAfter: (reach: ReachShape, heads: StreamPosition, mark: number) => News
    /**
     * Tells a stream without events that its credential is no longer valid, or that the access of its credential has
     * changed. The stream then asks for its next batch, which is refused if the caller has lost access.
     */
    readonly accessNews: (reach: ReachShape) => News
    /**
     * Runs work that takes long and reads nothing, such as the work of a model, for a caller who sees parts of its
     * result at once. Dies with `AuthorityLost` as soon as the credential is no longer valid, or the access of its
     * person has changed. Dispatch then runs the call again, or ends it if it has already sent a part of the answer.
     */
    readonly whileAccessStays: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R | Reach>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const feed = yield* EventFeed
      const every = yield* LookEvery
      const watchers = new Set<Watcher>()
      const isWatched = yield* Effect.makeLatch(false)

      /**
       * Merges what the streams watch. Each space occurs once, with the lowest number. Each pair of a credential and an
       * epoch occurs once.
       */
      const watched = (): WatchedPositions => {
        const heads = new Map<string, number>()
        const authorities = new Map<string, WatchedPositions["authorities"][number]>()
        for (const watcher of watchers) {
          for (const [spaceId, seq] of watcher.heads) heads.set(spaceId, Math.min(seq, heads.get(spaceId) ?? seq))
          const { authority } = watcher
          if (authority !== null) authorities.set(authorityName(authority), authority)
        }
        return { heads, authorities: [...authorities.values()] }
      }

      const look = Effect.gen(function* () {
        const known = watched()
        const origin = { operation: "events.watch", requestId: uuidv7(), client: noClient }
        const reach = systemReach("to wake the streams of readers", noPersonId, [...known.heads.keys()], origin)
        const { heads, lost } = yield* Effect.provideService(feed.changesSince(known), Reach, reach)
        if (lost.size === 0 && heads.size === 0) return
        for (const { authority, heads: read, wake } of watchers) {
          const isStale = authority !== null && lost.has(authorityName(authority))
          if (isStale || [...read].some(([spaceId, seq]) => (heads.get(spaceId) ?? 0) > seq)) wake()
        }
      })

      yield* isWatched.await.pipe(
        Effect.zipRight(Effect.sleep(every)),
        // The pod only logs a failed check, because the database might answer again one second later. If the database
        // still does not answer, the reads of the streams report the fault.
        Effect.zipRight(Effect.catchAllCause(look, (cause) => Effect.logDebug("could not look for events", cause))),
        Effect.forever,
        Effect.forkScoped
      )

      /**
       * Adds these spaces and the credential of the reader to what the check of each second looks for. The check also
       * finds changes by other nodes.
       */
      const watchedNews =
        ({ authority }: ReachShape, heads: StreamPosition): News =>
        (wake) => {
          const watcher = { heads, authority: "credentialId" in authority ? authority : null, wake }
          watchers.add(watcher)
          isWatched.unsafeOpen()
          return () => {
            watchers.delete(watcher)
            if (watchers.size === 0) isWatched.unsafeClose()
          }
        }

      /** Calls `wake` after each write of the person in this process. */
      const writtenNews =
        ({ principal: { personId } }: ReachShape, mark: number): News =>
        (wake) => {
          const leave = feed.news.wait(personId, wake)
          // If the mark has changed, the person has written while the reader read the batch. The batch possibly lacks
          // this write, so the reader is woken immediately.
          const missed = feed.news.writesOf(personId) === mark ? undefined : setImmediate(wake)
          return () => {
            clearImmediate(missed)
            leave()
          }
        }

      const accessNews = (reach: ReachShape): News => anyNews(watchedNews(reach, new Map()))

      const lostAccess = (reach: ReachShape) =>
        Effect.async<never>((resume) => {
          const { credential } = reach.principal
          const leave = accessNews(reach)(() => resume(Effect.die(new AuthorityLost({ credentialId: credential.id }))))
          return Effect.sync(leave)
        })

      return {
        mark: ({ principal }) => feed.news.writesOf(principal.personId),
        newsAfter: (reach, heads, mark) => anyNews(watchedNews(reach, heads), writtenNews(reach, mark)),
        accessNews,
        whileAccessStays: (work) =>
          Effect.flatMap(Reach, (reach) =>
            Effect.raceFirst(Effect.interruptible(work), Effect.interruptible(lostAccess(reach)))
          )
      }
    })
  )
}

const noPersonId = "00000000-0000-0000-0000-000000000000"

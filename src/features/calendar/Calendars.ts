/**
 * The service of calendar feeds. A feed is a secret URL that lists the records with a date. The feed shows what the
 * person who owns it may read at the moment of the call. If a key made the feed, the feed shows only what this key may
 * read.
 */
import { Context, type DateTime, Effect, FiberSet, Layer, Option, Redacted } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { Forbidden, NotFound } from "../../doors/Failure.ts"
import { hubMount } from "../../doors/Mounts.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { opensScope } from "../../doors/Scope.ts"
import { secretMark as markOf } from "../../platform/Secrets.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { Entities } from "../entities/Entities.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import { KeySettings } from "../keys/Keys.ts"
import { calendarItemOf } from "./Calendar.ts"
import { CalendarStore } from "./CalendarStore.ts"
import { type CalendarItem, calendarText } from "./ICalendar.ts"

const pageRows = 200
// The maximum number of pages of entities that the pod reads for one feed, latest change first. The number is small,
// because calendar programs read feeds often.
const pagesMax = 50

/**
 * The pod gives this answer for an unknown, rotated or revoked token, for a suspended person, and for a feed whose key
 * is no longer valid. The answer does not tell a stranger which of these is the reason.
 */
const noFeed = new NotFound({ why: "There is no such calendar feed. Copy the URL again, or make a new URL." })

/**
 * Fails if the key of the call does not have the scope `hub-protocol.read`. The pod reads the records of a feed with
 * the rights of the key that made the feed. So the feed of a key without this scope would be empty.
 */
const mayRead = Effect.flatMap(Reach, ({ principal: { scopes } }) =>
  opensScope(scopes, work.scope)
    ? Effect.void
    : new Forbidden({
        code: "SCOPE_MISSING",
        why: `A calendar feed reads records with the rights of the key that made the feed, so this key needs the scope ${work.scope}.`,
        required: [work.scope],
        granted: scopes
      })
)

const tokenForm = /^[\w-]{43}$/

const work = {
  operation: "calendar.read",
  reason: "a calendar program reads the feed of a person",
  scope: "hub-protocol.read" as const
}

export class Calendars extends Context.Tag("pod/Calendars")<
  Calendars,
  {
    /** Counts the feeds whose hash was made with a former pepper. Only the pod itself calls this. */
    readonly countOlder: Effect.Effect<number>
    readonly createdAt: Effect.Effect<DateTime.Utc | null, never, Reach>
    /**
     * Makes a new URL, which replaces the former URL, and returns the path of the new URL. No other call shows this
     * path.
     */
    readonly rotate: Effect.Effect<string, Forbidden | Proposed, Reach>
    readonly revoke: Effect.Effect<void, Forbidden | NotFound | Proposed, Reach>
    /**
     * Returns the calendar of the feed with this token. The calendar has what the person who owns the feed, or the key
     * that made the feed, may read now.
     */
    readonly read: (token: string) => Effect.Effect<string, NotFound>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const store = yield* CalendarStore
      const entities = yield* Entities
      const standing = yield* StandingReach
      const { formerPeppers, pepper } = yield* KeySettings
      const secretMark = markOf("key-pepper", pepper)
      const runFork = yield* FiberSet.makeRuntime()
      const passFor = yield* ownSpacePass("calendar", { subject: "calendar", actions: ["create", "delete"] })

      const hashOf = (token: string, secret = pepper) =>
        createHmac("sha256", Redacted.value(secret)).update(`pod calendar feed: ${token}`).digest()

      /**
       * Finds who made the feed with this token. If the hash was made with a former pepper, replaces the hash in the
       * background.
       */
      const ordererOf = Effect.fnUntraced(function* (token: string) {
        const hash = hashOf(token)
        const found = yield* store.ordererOf([hash, ...formerPeppers.map((each) => hashOf(token, each))])
        if (found !== null && !found.hash.equals(hash)) {
          runFork(Effect.ignoreLogged(Effect.sandbox(store.rehash(found.hash, { hash, secretMark }))))
        }
        return found
      })

      // Keeps only what the feed shows, because all entities together can be larger than the memory.
      const readable = Effect.gen(function* () {
        const found: Array<CalendarItem> = []
        let offset = 0
        for (let page = 0; page < pagesMax; page++) {
          const { items, next } = yield* readFirst(pageRows, (limit) =>
            // The call fails only if the query names a workspace that the caller cannot reach. This query names no
            // workspace, so the call cannot fail.
            Effect.orDie(entities.list({ scope: "all", includePodWide: true, limit, offset }))
          )
          offset += items.length
          found.push(...items.flatMap((entity) => calendarItemOf(entity) ?? []))
          if (next === null) break
        }
        return found
      })

      return {
        countOlder: store.countOtherMark(secretMark),
        createdAt: store.createdAt,
        rotate: Effect.gen(function* () {
          yield* mayRead
          const passed = yield* passFor("create")
          const token = randomBytes(32).toString("base64url")
          yield* store.put({ hash: hashOf(token), secretMark }, passed)
          return `${hubMount}/calendar/feed/${token}.ics`
        }),
        revoke: Effect.gen(function* () {
          const passed = yield* passFor("delete")
          if (!(yield* store.remove(passed))) return yield* noFeed
        }),
        read: Effect.fnUntraced(function* (written) {
          const token = written.replace(/\.ics$/, "")
          if (token === written || !tokenForm.test(token)) return yield* noFeed
          const orderer = yield* ordererOf(token)
          if (orderer === null) return yield* noFeed
          const found = yield* standing.run(orderer, work, readable)
          if (Option.isNone(found)) return yield* noFeed
          return calendarText("Pod", found.value)
        })
      }
    })
  )
}

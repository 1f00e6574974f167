/**
 * The service of a person's own sign-in sessions. The person lists the sessions, ends one session, or ends all sessions
 * except the present one.
 */
import { Context, Effect, Layer } from "effect"
import { type Forbidden, NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import { endCallsBeforeAnswer, Revocations } from "../../doors/Revocations.ts"
import { Database } from "../../platform/Database.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import type { OwnSession } from "./OwnSession.ts"
import { OwnSessionStore } from "./OwnSessionStore.ts"

export class OwnSessions extends Context.Tag("pod/OwnSessions")<
  OwnSessions,
  {
    readonly list: Effect.Effect<ReadonlyArray<OwnSession>, never, Reach>
    /**
     * Ends one session of the caller's person. When this method returns, the running calls of the session have stopped
     * in every process of the pod.
     */
    readonly end: (sessionId: string) => Effect.Effect<void, Forbidden | NotFound | Proposed, Reach>
    /**
     * Ends all sessions of the caller's person, except the session of this call. Also stops the running calls of the
     * ended sessions in every process of the pod. Returns the number of ended sessions.
     */
    readonly endOthers: (reason?: string) => Effect.Effect<number, Forbidden | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* OwnSessionStore
      const endAfterwards = endCallsBeforeAnswer(yield* Database, yield* Revocations)
      const passFor = yield* ownSpacePass("signIn", { subject: "member" })
      return {
        list: store.list,
        end: Effect.fnUntraced(function* (sessionId) {
          if (!(yield* store.end(sessionId, yield* passFor("update"))))
            return yield* new NotFound({ why: "You have no open session with this id." })
          yield* endAfterwards(sessionId)
        }),
        endOthers: Effect.fnUntraced(function* (reason) {
          const ended = yield* store.endOthers(reason, yield* passFor("update"))
          yield* endAfterwards(...ended)
          return ended.length
        })
      }
    })
  )
}

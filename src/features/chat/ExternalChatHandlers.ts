/** The handlers of chat clients: they translate between the endpoints and the service of chat turns. */
import { Effect } from "effect"
import { Frames } from "../../doors/Frames.ts"
import { implement } from "../../doors/Implement.ts"
import { Threads } from "../conversations/Threads.ts"
import { ChatTurns } from "./ChatTurns.ts"
import { ExternalChatApi } from "./ExternalChatApi.ts"

export const layer = implement(
  ExternalChatApi,
  Effect.gen(function* () {
    const threads = yield* Threads
    const turns = yield* ChatTurns
    return {
      "chat.channels": ({ urlParams }) =>
        Effect.map(threads.list(urlParams), ({ items }) =>
          items.map(({ id, title, workspaceId }) => ({
            id,
            type: "thread" as const,
            name: title,
            isPersonal: workspaceId === null,
            workspaceId
          }))
        ),
      "chat.turn": ({ payload }) => Effect.flatMap(Frames, ({ send }) => turns.turn(payload, send))
    }
  })
)

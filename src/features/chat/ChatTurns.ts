/**
 * The service of chat turns. A chat turn is a question with its answer. The service gives the model the earlier
 * messages of the channel, and stores the question and the answer together.
 */
import { Context, Effect, Layer } from "effect"
import { invalid, type WriteRefusal } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { Message } from "../../platform/models/LanguageModel.ts"
import { storableText } from "../../platform/StoredText.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { Messages } from "../conversations/Messages.ts"
import { newThread } from "../conversations/Thread.ts"
import { Threads } from "../conversations/Threads.ts"
import type { WriteFailure } from "../records/RecordOperations.ts"
import { Chat, type ChatFailure } from "./Chat.ts"
import type { ChatFrame, ChatTurn, ChatTurnRequest } from "./ChatTurn.ts"

/** Returns the external source and external id that identify the person's own channel with an assistant. */
const keyOf = (agentType: string) => ({ externalSource: "chat", externalId: agentType })

const historyMax = 20 // the maximum number of earlier messages of the channel that the model receives

export class ChatTurns extends Context.Tag("pod/ChatTurns")<
  ChatTurns,
  {
    /**
     * Answers a question, and stores the question and the answer in the channel that the request names. If the request
     * names no channel, stores them in the person's own channel with the assistant. The pod stores nothing before the
     * model has written its whole answer, so a client can send a failed turn again.
     */
    readonly turn: (
      request: ChatTurnRequest,
      send: (frame: ChatFrame) => Effect.Effect<void>
    ) => Effect.Effect<ChatTurn, ChatFailure | WriteRefusal | WriteFailure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const chat = yield* Chat
      const messages = yield* Messages
      const threads = yield* Threads

      /**
       * Finds the channel that stores a turn (a question and its answer). If the request names no channel, finds the
       * person's own channel with the assistant, if that channel exists.
       */
      const channelOf = ({ agentType, channelId }: ChatTurnRequest) =>
        channelId == null ? threads.findByExternalId(keyOf(agentType)) : threads.get(channelId)

      const beginThread = (agentType: string) =>
        Effect.map(
          threads.begin({ workspaceId: null, fields: { ...newThread, title: "Chat", ...keyOf(agentType) } }),
          ({ record }) => record.id
        )

      const earlier = (channelId: string) =>
        Effect.map(
          readFirst(historyMax, (limit) => messages.list(channelId, { limit })),
          ({ items }) => items.toReversed().map(({ content, role }): Message => ({ content, role }))
        )

      return {
        turn: Effect.fnUntraced(function* (request, send) {
          const { query, workspaceId } = request
          const channel = yield* channelOf(request)
          const known = channel?.id
          const shared = channel?.workspaceId ?? null
          if (shared !== null && workspaceId != null && workspaceId !== shared)
            return yield* invalid(
              "workspaceId",
              "The channel belongs to another workspace. Leave out `workspaceId`, or use another channel."
            )
          const history = known === undefined ? [] : yield* earlier(known)
          const conversation = [...history, { role: "user" as const, content: query }]
          const { sources, text } = yield* chat.answer(
            {
              // The code leaves out the earlier system messages, because other people can write them in the channel.
              // Only the client of this call is allowed to give instructions to the model.
              messages: conversation.filter(({ role }) => role !== "system"),
              // Other members of the workspace can read its channels. So an answer in a channel of a workspace must use
              // nothing from outside this workspace.
              workspaceId: shared ?? workspaceId,
              isShared: shared !== null
            },
            { onText: (content) => send({ content }) },
            (found) => send({ step: { tool: "search", input: { query }, result: { sources: found } } })
          )
          const waiting =
            (channelId: string | null) =>
            ({ answer: { proposalId, proposalType, reviewPath, summary } }: Proposed) => {
              const proposal = { proposalId, action: proposalType, payload: { channelId }, description: summary }
              return Effect.as(send({ data: { ...proposal, approveUrl: reviewPath } }), {
                channelId,
                messageId: null
              })
            }
          const say = (channelId: string) =>
            messages
              .send(channelId, [
                { role: "user", content: query, metadata: null, sessionId: null },
                { role: "assistant", content: storableText(text, text.length), metadata: { sources }, sessionId: null }
              ])
              .pipe(
                Effect.map((ids) => ({ channelId, messageId: ids.at(-1) ?? null })),
                Effect.catchTag("Proposed", waiting(channelId))
              )
          const stored = yield* known === undefined
            ? beginThread(request.agentType).pipe(Effect.flatMap(say), Effect.catchTag("Proposed", waiting(null)))
            : say(known)
          yield* send({ data: stored })
          return { ...stored, text, sources }
        })
      }
    })
  )
}

/** The service of turns: it answers in a channel, with its earlier messages, and stores the question and the answer together. */
import { Context, Effect, Layer } from "effect"
import type { WriteRefusal } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { Message } from "../../platform/models/LanguageModel.ts"
import { Messages } from "../conversations/Messages.ts"
import { newThread } from "../conversations/Thread.ts"
import { Threads } from "../conversations/Threads.ts"
import type { WriteFailure } from "../records/GovernedRecords.ts"
import { Chat, type ChatFailure } from "./Chat.ts"
import type { ChatFrame, ChatTurn, ChatTurnRequest } from "./ChatTurn.ts"

const historyMost = 20 // messages of the channel that the model gets

export class ChatTurns extends Context.Tag("pod/ChatTurns")<
  ChatTurns,
  {
    /**
     * Answers in the channel of the request, or in the person's own channel with the assistant. Nothing is stored before the
     * model has written its whole answer, so a client may send a failed turn again.
     */
    readonly turn: (
      request: ChatTurnRequest,
      send: (frame: ChatFrame) => Effect.Effect<void>
    ) => Effect.Effect<ChatTurn, ChatFailure | WriteRefusal | WriteFailure | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const chat = yield* Chat
      const messages = yield* Messages
      const threads = yield* Threads

      const channelOf = ({ agentType, channelId }: ChatTurnRequest) =>
        channelId == null
          ? Effect.map(
              threads.begin({
                workspaceId: null,
                fields: { ...newThread, title: "Chat", externalSource: "chat", externalId: agentType }
              }),
              ({ record }) => record.id
            )
          : Effect.map(threads.get(channelId), ({ id }) => id)

      const earlier = (channelId: string) =>
        Effect.map(messages.list(channelId, { limit: historyMost }), ({ items }) =>
          items.toReversed().map(({ content, role }): Message => ({ content, role }))
        )

      return {
        turn: (request, send) =>
          Effect.gen(function* () {
            const { query, workspaceId } = request
            const channelId = yield* channelOf(request)
            const conversation = [...(yield* earlier(channelId)), { role: "user" as const, content: query }]
            const { sources, text } = yield* chat.answer(
              // Only the client of this call may give instructions, and not whoever else writes in the channel.
              { messages: conversation.filter(({ role }) => role !== "system"), workspaceId },
              { onText: (content) => send({ content }) },
              (found) => send({ step: { tool: "search", input: { query }, result: { sources: found } } })
            )
            const messageId = yield* messages
              .say(channelId, [
                { role: "user", content: query, metadata: null, sessionId: null },
                { role: "assistant", content: text, metadata: { sources }, sessionId: null }
              ])
              .pipe(
                Effect.map((ids) => ids.at(-1) ?? null),
                Effect.catchTag("Proposed", ({ answer: { proposalId, proposalType, reviewPath, summary } }) =>
                  Effect.as(
                    send({
                      data: {
                        proposalId,
                        action: proposalType,
                        payload: { channelId },
                        description: summary,
                        approveUrl: reviewPath
                      }
                    }),
                    null
                  )
                )
              )
            yield* send({ data: { channelId, messageId } })
            return { channelId, messageId, text, sources }
          })
      }
    })
  )
}

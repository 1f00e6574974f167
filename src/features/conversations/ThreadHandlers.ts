/** The handlers of threads: they pass each call of an endpoint or a tool to a service and return its result. */
import { Effect, Layer } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { namesCaller } from "../../doors/Identity.ts"
import { implement, implementTools } from "../../doors/Implement.ts"
import { pagedAnswer, mapPage } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { repeatableTool } from "../../doors/RepeatableTool.ts"
import { splitFilters } from "../records/RecordType.ts"
import { type MessageDraft, type MessageContent, toWire } from "./Message.ts"
import { Messages } from "./Messages.ts"
import { newThread } from "./Thread.ts"
import { ThreadApi } from "./ThreadApi.ts"
import { Threads } from "./Threads.ts"
import { PostedMessage, ThreadTools } from "./ThreadTools.ts"

// the maximum number of messages of a thread that an agent receives; more messages would not help the agent
const contextMax = 50

/**
 * Returns the part of a message draft that the pod stores. It has no author, because the author is always the caller.
 * It has no `autoRespond`, because the pod never answers a message.
 */
const draftOf = ({ content, metadata, role, sessionId }: MessageDraft): MessageContent => ({
  role,
  content,
  metadata,
  sessionId
})

/** The arguments that choose the thread for a new message. */
interface ThreadOfPost {
  readonly threadId?: string | undefined
  readonly title?: string | undefined
  readonly workspaceId?: string | null | undefined
}

const rest = implement(
  ThreadApi,
  Effect.gen(function* () {
    const threads = yield* Threads
    const messages = yield* Messages
    return {
      "threads.list": ({ urlParams }) => threads.list(splitFilters(urlParams, ["parentChannelId"])),
      "threads.get": ({ path }) => threads.get(path.id),
      "threads.create": Effect.fnUntraced(function* ({
        payload: { agentId, reasoning, sessionId, userId: _caller, workspaceId, ...body }
      }) {
        const fields = { ...body, assignedAgentId: agentId }
        const { isFound, record } = yield* threads.begin({ workspaceId, fields, reasoning, sessionId })
        return {
          id: record.id,
          ...(record.title === null ? {} : { title: record.title }),
          ...(isFound ? { reused: true } : {})
        }
      }),
      "threads.update": ({ path, payload: { agentId, expectedVersion, reasoning, sessionId, ...fields } }) =>
        threads.change(path.id, { ...fields, assignedAgentId: agentId }, { reasoning, sessionId, expectedVersion }),
      "threads.branches": ({ path, urlParams }) =>
        Effect.map(threads.branches(path.id, urlParams), (page) =>
          pagedAnswer(page, (found) => ({
            branches: found.map(({ id, branchPurpose, status }) => ({ channelId: id, branchPurpose, status }))
          }))
        ),
      "threads.messages": ({ path, urlParams }) =>
        Effect.map(messages.list(path.id, urlParams), (page) => mapPage(page, toWire)),
      "threads.say": ({ path, payload }) =>
        Effect.map(messages.send(path.id, [draftOf(payload)]), ([messageId]) => ({
          success: true as const,
          messageId
        })),
      "threads.sayAll": Effect.fnUntraced(function* ({ path, payload }) {
        yield* namesCaller((yield* Reach).principal, payload.messages)
        return { messageIds: yield* messages.send(path.id, payload.messages.map(draftOf)) }
      })
    }
  })
)

const tools = implementTools(
  ThreadTools,
  Effect.gen(function* () {
    const threads = yield* Threads
    const messages = yield* Messages
    const once = yield* repeatableTool

    /** Returns the thread for a message: the thread that the caller names, or otherwise a new thread. */
    const threadFor = Effect.fnUntraced(function* ({ threadId, title, workspaceId }: ThreadOfPost) {
      if (threadId === undefined) {
        const fields = { ...newThread, title: title ?? null }
        return (yield* threads.begin({ workspaceId, fields })).record.id
      }
      const named = title === undefined ? (workspaceId == null ? undefined : "workspaceId") : "title"
      return named === undefined
        ? threadId
        : yield* invalid(named, "is allowed only for a new thread; leave this field out")
    })

    return {
      svc_post_message: Effect.fnUntraced(function* ({ content, idempotencyKey: key, metadata, sessionId, ...where }) {
        const posted = Effect.gen(function* () {
          const threadId = yield* threadFor(where)
          const [messageId] = yield* messages.send(threadId, [{ role: "assistant", content, metadata, sessionId }])
          return { threadId, messageId }
        })
        if (key === undefined) return yield* posted
        const input = { content, metadata, sessionId, ...where }
        return (yield* once({ tool: "svc_post_message", key, input, schema: PostedMessage }, posted)).result
      }),
      svc_get_thread_context: Effect.fnUntraced(function* ({ threadId }) {
        const thread = yield* threads.get(threadId)
        const { items: latest } = yield* messages.list(threadId, { limit: contextMax })
        return { thread, messages: latest.toReversed().map(toWire) }
      })
    }
  })
)

export const layer = Layer.mergeAll(rest, tools)

/**
 * The schemas of chat turns. A chat turn is a question with its answer. There are schemas of the request, of the parts
 * in which the pod sends the answer, of the stored turn, and of the channel that stores the turns.
 */
import { Schema } from "effect"
import { described, example, WorkspaceId } from "../../doors/Fields.ts"
import { limitQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { AnswerResult } from "../retrieval/RetrievalResult.ts"

const NullableId = Schema.NullOr(Id)

export const ChatTurnRequest = example(
  Schema.Struct({
    query: described("What the person says.", Schema.String.pipe(Schema.minLength(1), Schema.maxLength(10_000))),
    channelId: described(
      "Channel of the conversation. Default: the person's own channel.",
      Schema.optional(NullableId)
    ),
    workspaceId: described(
      "Workspace to search. In a channel of a workspace, the pod searches only the channel's workspace.",
      Schema.optional(Schema.NullOr(WorkspaceId))
    ),
    agentType: described(
      "Type of the assistant that answers. Each type has its own channel.",
      Schema.optionalWith(Schema.String.pipe(Schema.pattern(/^[a-z][a-z0-9_-]{0,39}$/)), { default: () => "meta" })
    )
  }).annotations({ identifier: "ChatTurnRequest" }),
  { query: "When does the contract with the harbour end?" }
)
export type ChatTurnRequest = typeof ChatTurnRequest.Type

const Stored = Schema.Struct({
  channelId: described(
    "Id of the thread with the conversation; null if the new thread waits for approval.",
    NullableId
  ),
  messageId: described("Id of the stored answer; null if the answer waits for approval.", NullableId)
}).annotations({ identifier: "StoredTurn" })

const sources = described("Records that the model received, numbered from 1.", AnswerResult.fields.sources)

/**
 * The parts in which the pod sends the answer to a question. They come in this order: one search step, pieces of the
 * text, a proposal if the messages need approval, and the end.
 */
export const ChatFrame = Schema.Union(
  Schema.Struct({
    step: Schema.Struct({
      tool: Schema.Literal("search"),
      input: Schema.Struct({ query: Schema.String }),
      result: Schema.Struct({ sources })
    })
  }),
  Schema.Struct({ content: Schema.String }),
  Schema.Struct({
    data: Schema.Struct({
      proposalId: Id,
      action: Schema.String,
      payload: Schema.Struct({ channelId: NullableId }),
      description: Schema.String,
      approveUrl: described("Path of the page where a person decides about the proposal.", Schema.String)
    })
  }),
  Schema.Struct({ data: Stored })
).annotations({ identifier: "ChatFrame" })
export type ChatFrame = typeof ChatFrame.Type

export const ChatTurn = Schema.Struct({
  ...Stored.fields,
  text: Schema.String,
  sources
}).annotations({
  identifier: "ChatTurnAnswer"
})
export type ChatTurn = typeof ChatTurn.Type

export const ChatChannel = Schema.Struct({
  id: Id,
  type: Schema.Literal("thread"),
  name: Schema.NullOr(Schema.String),
  isPersonal: described("Whether the channel is in the person's own space.", Schema.Boolean),
  workspaceId: Schema.NullOr(WorkspaceId)
}).annotations({ identifier: "ChatChannel" })

export const ChatChannelQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  limit: limitQuery(50, 200)
})

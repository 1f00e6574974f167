/**
 * Requests of agents for the approval of an action outside the pod. A person decides on each request. The pod itself
 * changes no record.
 */
import { Effect, Layer, Schema } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import { WorkspaceId, FocusSessionId, described, JsonObjectInput } from "../../doors/Fields.ts"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "../gate/Changers.ts"
import { requestedContent, objectIn } from "../gate/Write.ts"

export const devApproval = "dev_approval"

/** The fields that the person reads before the decision. */
const contentFields = {
  title: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500)),
  description: Schema.optional(Schema.String.pipe(Schema.maxLength(100_000))),
  command: described(
    "Command line, if the action is a command. The pod never runs it.",
    Schema.optional(Schema.String.pipe(Schema.maxLength(10_000)))
  ),
  details: described("Further details of the action, as data.", Schema.optional(JsonObjectInput))
}
const contentOf = strictDecoder(Schema.Struct(contentFields))

export const DevApprovalDraft = Schema.Struct({
  ...contentFields,
  workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
  sessionId: Schema.optional(FocusSessionId),
  reasoning: described(
    "Reason for the action, for the person who decides.",
    Schema.optional(Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))))
  )
}).annotations({ identifier: "DevApprovalDraft" })

/** Registers how the pod describes and checks these requests for approval. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const changers = yield* Changers
    yield* changers.register(devApproval, {
      traits: { subject: "session", actions: [] },
      current: () => Effect.succeed(null),
      apply: () => Effect.succeed(null),
      check: ({ content }) => Effect.as(contentOf(content), { content }),
      describe: Effect.fnUntraced(function* (request) {
        if (request.action !== "create")
          return yield* invalid("proposalType", "A request for approval can be created, but not changed or deleted.")
        const { personId } = (yield* Reach).principal
        const content = requestedContent(request, null)
        const { command, title } = yield* contentOf(content)
        return {
          object: objectIn(personId, request.spaceId, null),
          content,
          base: null,
          // The request concerns only the agent and its person, so other people in the space do not see the request.
          isPrivate: true,
          summary: `Allow the agent an action outside the pod: “${title}”${command === undefined ? "" : `, with the command “${command}”`}`
        }
      }),
      irreversible: "The pod cannot revert an action outside the pod."
    })
  })
)

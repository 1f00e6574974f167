/** The MCP tools of retrieval: answers sized for a model. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { ProjectId, WorkspaceId } from "../../doors/Fields.ts"
import { ProfileSlug } from "../entities/Entity.ts"
import { toolDoor } from "./RetrievalDoor.ts"
import { AnsweredFind, AnsweredQuestion } from "./LeanResult.ts"
import { questionText } from "./RetrievalResult.ts"

const budgetMin = 200
const budgetMax = 20_000
/** In tokens of about four characters. */
const Budget = Schema.optionalWith(Schema.Int.pipe(Schema.between(budgetMin, budgetMax)), { default: () => 2000 })
const budgetText = "How many tokens the answer may have at most, counted as four characters each."

const limitMax = 50
const Limit = Schema.optionalWith(Schema.Int.pipe(Schema.between(1, limitMax)), { default: () => 8 })

const place = {
  workspaceId: Schema.optional(WorkspaceId),
  projectId: Schema.optional(ProjectId),
  limit: Limit,
  budget: Budget
}
const placeText = {
  workspaceId: "Only what belongs to this workspace.",
  projectId: "Only what is filed in this project.",
  limit: "How many items to show at most.",
  budget: budgetText
}

export const RetrievalTools = [
  tool("svc_ask", {
    title: "Ask",
    input: describeArguments(Schema.Struct({ query: questionText, ...place }), {
      query: 'The question in plain words. "Quotes" ask for a phrase, a minus leaves a word out.',
      ...placeText
    }),
    success: AnsweredQuestion,
    door: toolDoor,
    summary:
      "Ask a question of everything you may read: entities, documents, knowledge and memories. The best items come first, each with the passage that fits; verdict says how well the words are covered."
  }),
  tool("svc_find", {
    title: "Find",
    input: describeArguments(Schema.Struct({ query: questionText, kind: Schema.optional(ProfileSlug), ...place }), {
      query: "The words to look for.",
      kind: "Only entities of this kind, such as note, task or person.",
      ...placeText
    }),
    success: AnsweredFind,
    door: toolDoor,
    summary: "Find entities and documents by their words. Shorter than svc_ask: ids, titles and the passage that fits."
  })
]

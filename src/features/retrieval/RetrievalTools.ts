/** The MCP tools of retrieval. Their answers fit into a number of tokens that the caller can set. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { ProjectId, WorkspaceId } from "../../doors/Fields.ts"
import { ProfileSlug } from "../profiles/ProfileSlug.ts"
import { toolDoor } from "./RetrievalDoor.ts"
import { AnsweredFind, AnsweredQuestion } from "./LeanResult.ts"
import { questionText, RetrievalRequest } from "./RetrievalRequest.ts"

const budgetMin = 200
const budgetMax = 20_000
/** The maximum size of an answer in tokens. A token has about four characters. */
const Budget = Schema.optionalWith(Schema.Int.pipe(Schema.between(budgetMin, budgetMax)), { default: () => 2000 })
const budgetText = "The largest size of the answer in tokens, counted as four characters each."

const limitMax = 50
const Limit = Schema.optionalWith(Schema.Int.pipe(Schema.between(1, limitMax)), { default: () => 8 })

const place = {
  workspaceId: Schema.optional(WorkspaceId),
  projectId: Schema.optional(ProjectId),
  limit: Limit,
  budget: Budget
}
const placeText = {
  workspaceId: "The id of a workspace: only its records are searched.",
  projectId: "The id of a project: only records that the project contains are searched.",
  limit: "The largest number of items to return.",
  budget: budgetText
}

export const RetrievalTools = [
  tool("svc_ask", {
    title: "Ask",
    input: describeArguments(
      Schema.Struct({ query: questionText, ...place, compare: RetrievalRequest.fields.compare }),
      {
        query: "The question in plain words. Quotes mark a phrase; a minus excludes a word.",
        ...placeText,
        compare: "`true`: make a second ranking by words only, and show in `comparison` how the two rankings differ."
      }
    ),
    success: AnsweredQuestion,
    door: toolDoor,
    profiles: ["entry", "builder"],
    summary:
      "Ask a question: the pod searches everything that you may read (entities, documents, knowledge and memories). The best items come first, each with the passage that fits. `verdict` says how well the items cover the words of the question."
  }),
  tool("svc_find", {
    title: "Find",
    input: describeArguments(Schema.Struct({ query: questionText, kind: Schema.optional(ProfileSlug), ...place }), {
      query: "The words to search for.",
      kind: "The entity kind (profile slug), such as `note`, `task` or `person`: only entities of this kind are found.",
      ...placeText
    }),
    success: AnsweredFind,
    door: toolDoor,
    profiles: ["builder"],
    summary:
      "Find entities and documents by their words. The answer is shorter than the answer of `svc_ask`: ids, titles and the passage that fits."
  })
]

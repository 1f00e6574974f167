/** The inputs and answers of the endpoints for workflows of n8n, an automation tool. */
import { Schema } from "effect"
import { described, example, JsonObjectInput, optionalOrNull, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

// the maximum number of characters of the field `content`
const contentMax = 1_000_000
// the maximum number of characters of a text to analyse
export const analysedMax = 10_000

const Tags = Schema.Array(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))).pipe(Schema.maxItems(50))
const EntityType = Schema.Literal("note", "task", "project")

export const WorkflowEntityDraft = example(
  Schema.Struct({
    type: EntityType,
    title: described(
      "Title of the record. Default: the first line of the content.",
      Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500)))
    ),
    content: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(contentMax)),
    tags: described("Words by which people find the record; not for a project.", Schema.optional(Tags)),
    metadata: described("Further properties of the record.", Schema.optional(JsonObjectInput)),
    forceCreate: described(
      "`true`: create the record even if another has almost the same name. `false`: look for duplicates of every type. Default: look only for those of projects.",
      Schema.optional(Schema.Boolean)
    ),
    workspaceId: optionalOrNull(WorkspaceId)
  }).annotations({ identifier: "WorkflowEntityDraft" }),
  { type: "note", content: "The crane was inspected in March.", tags: ["harbour"] }
)
export type WorkflowEntityDraft = typeof WorkflowEntityDraft.Type

export const WorkflowEntity = Schema.Struct({
  success: Schema.Literal(true),
  entityId: Id,
  eventId: described(
    "Id of the event of the write. Absent if an equal entity existed and the write changed nothing, or if you may not read the event.",
    Schema.optional(Id)
  ),
  message: Schema.String
}).annotations({ identifier: "WorkflowEntity" })

export const WorkflowQuestion = example(
  Schema.Struct({
    query: described(
      "Question or words to search for.",
      Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1_000))
    ),
    limit: described(
      "Largest number of results.",
      Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 100)), { default: () => 10 })
    ),
    type: described(
      "Entity kind (profile slug), or `all`.",
      Schema.optionalWith(Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9_-]{0,63}$/)), { default: () => "all" })
    )
  }).annotations({ identifier: "WorkflowQuestion" }),
  { query: "crane inspection", limit: 5 }
)
export type WorkflowQuestion = typeof WorkflowQuestion.Type

export const WorkflowResults = Schema.Struct({
  results: described(
    "Found entities, best match first.",
    Schema.Array(
      Schema.Struct({
        entityId: Id,
        title: Schema.String,
        type: described("Entity kind (profile slug).", Schema.String),
        preview: described("Passage of the text that fits the question best.", Schema.String),
        fileUrl: described("Always null: entities have no file of their own.", Schema.Null),
        relevanceScore: described("How well the result matches; a higher score is better.", Schema.Number)
      })
    )
  ),
  query: Schema.String,
  count: Schema.Int
}).annotations({ identifier: "WorkflowResults" })

export const analysisTypes = ["tags", "summary", "tasks", "sentiment"] as const
export type AnalysisType = (typeof analysisTypes)[number]

export const AnalysisRequest = example(
  Schema.Struct({
    content: described("Text to analyse.", Schema.String.pipe(Schema.minLength(1), Schema.maxLength(analysedMax))),
    analysisTypes: described(
      "Which kinds of analysis to make.",
      Schema.Array(Schema.Literal(...analysisTypes)).pipe(Schema.minItems(1), Schema.maxItems(8))
    )
  }).annotations({ identifier: "AnalysisRequest" }),
  { content: "Call the harbour about the crane. I am glad that it works again.", analysisTypes: ["tags", "tasks"] }
)

const Sentiment = Schema.Literal("positive", "neutral", "negative", "mixed")
const Line = Schema.String.pipe(Schema.maxLength(1_000))

/** The parts of the model's answer. The pod checks the answer against this schema. */
export const AnalysisParts = Schema.Struct({
  tags: Schema.Array(Line).pipe(Schema.maxItems(50)),
  summary: Schema.String.pipe(Schema.maxLength(analysedMax)),
  tasks: Schema.Array(Line).pipe(Schema.maxItems(50)),
  sentiment: Sentiment
})

export const Analysis = Schema.Struct({
  success: Schema.Literal(true),
  tags: described("Keywords of the analysed text.", Schema.optional(Schema.Array(Schema.String))),
  summary: Schema.optional(Schema.String),
  tasks: described("Tasks that the text contains.", Schema.optional(Schema.Array(Schema.String))),
  sentiment: described("Mood of the text.", Schema.optional(Sentiment))
}).annotations({ identifier: "Analysis" })
export type Analysis = typeof Analysis.Type

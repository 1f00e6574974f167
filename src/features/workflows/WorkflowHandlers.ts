/**
 * The handlers of the endpoints for workflows of n8n. They turn each request into calls of entities, projects or
 * retrieval.
 */
import { DateTime, Effect } from "effect"
import { Invalid } from "../../doors/Failure.ts"
import { implement } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { Entities } from "../entities/Entities.ts"
import { correlationOf } from "../events/AppendEvent.ts"
import { EventFeed } from "../events/EventFeed.ts"
import { Projects } from "../projects/Projects.ts"
import { Retrieval } from "../retrieval/Retrieval.ts"
import { TextAnalysis } from "./TextAnalysis.ts"
import type { WorkflowEntityDraft } from "./Workflow.ts"
import { WorkflowApi } from "./WorkflowApi.ts"
import { shortenText } from "../../platform/StoredText.ts"

// the maximum number of characters of a title that the pod makes from the content
const titleMax = 120

const titleOf = ({ content, title, type }: WorkflowEntityDraft): string =>
  title ?? (shortenText(content.trim().split("\n", 1)[0], titleMax) || type)

/** The names of fields in the requests of these endpoints, by the names of the fields in the pod. */
const sentAs: Readonly<Record<string, string>> = { name: "title", description: "content", properties: "metadata" }

const evidenceFault = {
  path: "type",
  message:
    "An agent cannot create a project here. Use `POST /api/hub/projects`, and send entities as evidence for the project."
}

/**
 * Translates the field names in an error to the names in the request, because the client of a workflow knows only these
 * names.
 */
const asSent = ({ code, faults }: Invalid) =>
  new Invalid({
    ...(code === undefined ? {} : { code }),
    faults: faults.map((fault) => {
      const [field = "", ...below] = fault.path.split(".")
      if (field === "evidenceEntityIds") return evidenceFault
      return { ...fault, path: [sentAs[field] ?? field, ...below].join(".") }
    })
  })

export const layer = implement(
  WorkflowApi,
  Effect.gen(function* () {
    const entities = yield* Entities
    const projects = yield* Projects
    const retrieval = yield* Retrieval
    const { analyze } = yield* TextAnalysis
    const feed = yield* EventFeed

    /** Finds the event with which this request wrote the record. Undefined if the caller may not read the event. */
    const eventOf = Effect.fnUntraced(function* (subjectId: string) {
      const correlationId = correlationOf(yield* Reach)
      const from = DateTime.subtract(yield* DateTime.now, { days: 1 })
      const {
        items: [event]
      } = yield* feed.page({ subjectId, correlationId, from, limit: 1 })
      return event?.id
    })

    const createEntity = (draft: WorkflowEntityDraft) => {
      const { content, forceCreate, metadata, tags, type, workspaceId } = draft
      return type === "project"
        ? Effect.map(
            projects.create({
              workspaceId,
              name: shortenText(titleOf(draft), 255),
              description: content,
              status: "active",
              settings: {},
              metadata: metadata ?? {},
              forceCreate: forceCreate ?? false
            }),
            ({ id }) => id
          )
        : Effect.map(
            entities.create({
              profileSlug: type,
              title: titleOf(draft),
              description: content,
              workspaceId,
              ...(forceCreate === undefined ? {} : { forceCreate }),
              ...(tags === undefined ? {} : { tags }),
              ...(metadata === undefined ? {} : { properties: metadata })
            }),
            ({ entity }) => entity.id
          )
    }

    return {
      "n8n.createEntity": ({ payload }) =>
        createEntity(payload).pipe(
          Effect.mapError((failure) => (failure._tag === "Invalid" ? asSent(failure) : failure)),
          Effect.bindTo("entityId"),
          Effect.bind("eventId", ({ entityId }) => eventOf(entityId)),
          Effect.map(({ entityId, eventId }) => ({
            success: true as const,
            entityId,
            ...(eventId === undefined ? {} : { eventId }),
            message: `The ${payload.type} was created.`
          }))
        ),
      "n8n.search": ({ payload: { limit, query, type } }) =>
        Effect.map(
          retrieval.search({ query: type === "all" ? query : `${query} type:${type}`, limit }),
          ({ answers }) => {
            const results = answers
              .flatMap(({ items }) => items)
              .filter((item) => item.type === "entity" && (type === "all" || item.profileSlug === type))
              .filter(({ id }, at, all) => all.findIndex((other) => other.id === id) === at)
              .slice(0, limit)
              .map(({ id, profileSlug = "entity", score, snippet, title }) => ({
                entityId: id,
                title,
                type: profileSlug,
                preview: snippet,
                fileUrl: null,
                relevanceScore: score
              }))
            return { results, query, count: results.length }
          }
        ),
      "n8n.analyze": ({ payload }) => analyze(payload.content, payload.analysisTypes)
    }
  })
)

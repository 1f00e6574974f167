/**
 * The handlers of documents: they pass each call of an endpoint, a procedure or a tool to the service and return its
 * result.
 */
import { Effect, Layer, Schema } from "effect"
import { NotImplemented } from "../../doors/Failure.ts"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { mapPage, pagedAnswer } from "../../doors/Page.ts"
import { repeatableTool } from "../../doors/RepeatableTool.ts"
import type { Revision } from "../records/MemoryRevisions.ts"
import { splitFilters } from "../records/RecordType.ts"
import type { Document, DocumentHead } from "./Document.ts"
import { DocumentApi } from "./DocumentApi.ts"
import { DocumentProcedures } from "./DocumentRpc.ts"
import { Documents } from "./Documents.ts"
import { DocumentTools } from "./DocumentTools.ts"
import { sectionsMax, sectionsOf, textOfHtml } from "./ReadableText.ts"

const writtenAs = ({ actorId, at, eventId, fields, recordId, version }: Revision<DocumentHead>) => ({
  documentId: recordId,
  revision: version,
  title: fields.title,
  type: fields.type,
  actorId,
  eventId,
  at
})

/**
 * Removes the ids of the caller and of the caller's agent from a request body, and returns the fields to write. The pod
 * has already checked these ids.
 */
const withoutActor = <A extends { readonly agentUserId?: unknown; readonly userId?: unknown }>(body: A) => {
  const { agentUserId: _agent, userId: _caller, ...fields } = body
  return fields
}

const rest = implement(
  DocumentApi,
  Effect.map(Documents, (documents) => ({
    "documents.list": ({ urlParams }) => documents.list(splitFilters(urlParams, ["entityId", "projectId"])),
    "documents.get": ({ path }) => documents.get(path.id),
    "documents.raw": ({ path }) =>
      Effect.map(documents.get(path.id), ({ content, type }) => ({
        mediaType: type === "markdown" ? ("text/markdown" as const) : ("text/plain" as const),
        text: content ?? ""
      })),
    "documents.revisions": ({ path, urlParams }) =>
      Effect.map(documents.revisions(path.id, urlParams), (page) => mapPage(page, writtenAs)),
    "documents.revision": ({ path }) =>
      Effect.map(documents.revision(path.id, path.revision), (revision) => ({
        ...writtenAs(revision),
        content: revision.fields.content
      })),
    "documents.create": ({ payload: { expectedLabel, reasoning, sessionId, sourceMessageId, workspaceId, ...body } }) =>
      documents.create({
        workspaceId,
        fields: withoutActor(body),
        ruleInput: { expectedLabel, sourceMessageId },
        reasoning,
        sessionId
      }),
    "documents.propose": ({ payload }) => documents.propose(payload),
    "documents.update": ({ path, payload: { baseRevision, reasoning, sessionId, ...body } }) =>
      documents.edit(path.id, baseRevision, withoutActor(body), { reasoning, sessionId }),
    "documents.restoreRevision": ({ path, payload: { revision, ...reasons } }) =>
      documents.restoreRevision(path.id, revision, reasons),
    "documents.delete": ({ path }) => Effect.map(documents.remove(path.id), deleteResponse)
  }))
)

const procedures = implementProcedures(
  DocumentProcedures,
  Effect.map(Documents, (documents) => ({
    "documents.getDocument": ({ documentId }) => documents.get(documentId)
  }))
)

/** Prepares a document for an agent. The notes say what the text does not show, for example that markup was removed. */
const readBy = ({ content, id, title, type, version, workspaceId }: Document, format: "raw" | "readable") => {
  const isStripped = format === "readable" && type === "html"
  const text = isStripped ? textOfHtml(content ?? "") : (content ?? "")
  const sections = type === "markdown" ? sectionsOf(text) : []
  const diagnostics = [
    ...(content === null || content === "" ? ["The document has no content yet."] : []),
    ...(isStripped
      ? ["This content is without the markup of HTML. To edit the document, read it with the format `raw`."]
      : []),
    ...(type === "pdf" || type === "docx" ? ["The content is only the text of the file, without its layout."] : []),
    ...(sections.length === sectionsMax ? [`The list has only the first ${sectionsMax} sections.`] : [])
  ]
  return { documentId: id, workspaceId, title, type, content: text, revision: version, sections, diagnostics }
}

/**
 * The part of the answer that the pod stores when a caller creates a document. The pod uses this part to answer a
 * repeated call with the same idempotency key.
 */
const MadeDocument = Schema.Struct({ id: Schema.String })

const tools = implementTools(
  DocumentTools,
  Effect.gen(function* () {
    const documents = yield* Documents
    const once = yield* repeatableTool
    return {
      svc_list_documents: (input) =>
        Effect.map(documents.list(splitFilters(input, ["entityId", "projectId"])), (page) =>
          pagedAnswer(page, (items) => ({ documents: items }))
        ),

      svc_get_document: ({ documentId, format }) =>
        Effect.map(documents.get(documentId), (document) => readBy(document, format)),

      svc_create_document: Effect.fnUntraced(function* ({ idempotencyKey: key, sessionId, url, workspaceId, ...own }) {
        if (url !== undefined) {
          return yield* new NotImplemented({
            why: "The pod does not load text from a URL. Send the text itself in `content`, and leave out `url`."
          })
        }
        const draft = { workspaceId, sessionId, fields: { ...own, projectId: null } }
        if (key === undefined) return yield* documents.createOnce(draft)
        let document: Document | undefined
        const written = Effect.map(documents.create(draft), (created) => {
          document = created
          return { id: created.id }
        })
        const tool = "svc_create_document"
        const { isReplay, result: reference } = yield* once({ tool, key, input: draft, schema: MadeDocument }, written)
        return { document: document ?? (yield* documents.get(reference.id)), isKnown: isReplay }
      })
    }
  })
)

export const layer = Layer.mergeAll(rest, procedures, tools)

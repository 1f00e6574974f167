/** A document: a text that people and agents write together. The pod keeps each write as a revision. */
import { Schema } from "effect"
import {
  example,
  ProjectId,
  described,
  CallerId,
  AgentId,
  WorkspaceId,
  optionalOrNull,
  SourceMessageId,
  Timestamp
} from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf, inWorkspace } from "../records/RecordInputs.ts"
import { createDetails, recordType } from "../records/RecordType.ts"

// the maximum number of characters of a document; ten such texts fill the largest request body
export const contentMax = 1_000_000

const Title = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500))
// This schema has its own message, because the message of the library would repeat the whole text. The schema is not
// part of a union, because the message of a union would also repeat the text.
const lengthMessage = {
  message: () => `Use at most ${contentMax} characters.`,
  jsonSchema: { maxLength: contentMax }
}
const Text = Schema.String.pipe(Schema.filter((text) => text.length <= contentMax, lengthMessage))
const Content = Schema.NullOr(Schema.String).pipe(
  Schema.filter((text) => text === null || text.length <= contentMax, lengthMessage)
)
/** The format of the content. For PDF and DOCX, the content is the text of the file. */
export const DocumentType = Schema.Literal("text", "markdown", "code", "html", "pdf", "docx").annotations({
  identifier: "DocumentType",
  description: "Format of the content. For `pdf` and `docx`, the content is the text of the file."
})

const head = {
  title: writable(Title),
  type: writable(DocumentType, { default: "markdown" }),
  entityId: writable(Schema.NullOr(Id), {
    meaning: "Id of the entity that the document belongs to.",
    default: null
  }),
  projectId: writable(Schema.NullOr(ProjectId), { default: null })
}
const storage = {
  subject: "document",
  table: "documents",
  history: "document_revisions",
  references: { entityId: { targetType: "entity" }, projectId: { targetType: "project", isFiling: true } },
  stamps: { revision: "version" }
} as const

export const Document = recordType("document", {
  ...storage,
  identifier: "Document",
  fields: {
    ...head,
    content: writable(Content, {
      draft: Schema.optionalWith(Content, { default: () => null, exact: true }),
      change: Schema.optionalWith(Content, { exact: true })
    })
  }
})
export type Document = typeof Document.schema.Type

/** A document without its content, for lists. */
export const DocumentHead = recordType("document", { ...storage, identifier: "DocumentHead", fields: head })
export type DocumentHead = typeof DocumentHead.schema.Type

/** The ids that a request body is allowed to name: the caller and the caller's agent. */
const actorFields = { userId: optionalOrNull(CallerId), agentUserId: optionalOrNull(AgentId) }

/**
 * Further fields of the input that creates a document. The pod stores them only in the proposal, for the person who
 * decides.
 */
export const documentRuleInput = {
  sourceMessageId: SourceMessageId,
  expectedLabel: described(
    "Label of the focus session's output that this document is.",
    Schema.optional(Schema.String.pipe(Schema.maxLength(255)))
  )
}

export const DocumentDraft = inputOf(
  "DocumentDraft",
  { ...inWorkspace, ...Document.draft, ...documentRuleInput, ...actorFields, ...createDetails },
  { title: "Harbour", content: "# Harbour\n\nThe quay is wet.", type: "markdown" }
)

export const Revision = Schema.Int.pipe(Schema.between(1, 2_147_483_647))

export const DocumentChange = inputOf(
  "DocumentChange",
  {
    baseRevision: described("Number of the revision that you read and edited.", Revision),
    ...Document.change,
    ...actorFields,
    ...createDetails
  },
  { baseRevision: 1, content: "# Harbour\n\nThe quay is dry." }
)

export const RevisionChoice = inputOf(
  "RevisionChoice",
  { revision: described("Number of the revision, starting at 1.", Revision), ...createDetails },
  { revision: 1 }
)

/** A revision (one write of a document), without its content. */
const revisionHead = {
  documentId: Id,
  revision: described("Number of the revision, starting at 1.", Schema.Number),
  title: Title,
  type: DocumentType,
  actorId: described("Id of the writer: a person or an agent.", Id),
  eventId: described("Id of the event that recorded the write.", Id),
  at: Timestamp
}
export const RevisionHead = Schema.Struct(revisionHead).annotations({ identifier: "DocumentRevisionHead" })
export const DocumentRevision = Schema.Struct({
  ...revisionHead,
  content: Document.stored.content
}).annotations({
  identifier: "DocumentRevision"
})

const Position = Schema.Int.pipe(Schema.between(0, contentMax))

/** One change of a text. Positions count UTF-16 code units. The end position is not part of a range. */
export const TextChange = Schema.Struct({
  op: described("What the change does to the text.", Schema.Literal("insert", "delete", "replace")),
  position: described("Position of the insertion, in characters from 0.", Schema.optional(Position)),
  range: described(
    "Range of the text to delete or replace.",
    Schema.optional(
      Schema.Struct({
        start: described("Position of the first character of the range, from 0.", Position),
        end: described("Position after the last character of the range.", Position)
      })
    )
  ),
  text: described("Text to insert, or the replacement.", Schema.optionalWith(Text, { exact: true }))
}).annotations({ identifier: "TextChange" })
export type TextChange = typeof TextChange.Type

const changesMax = 1000

export const DocumentProposal = example(
  Schema.Struct({
    documentId: Id,
    userId: actorFields.userId,
    proposalType: described(
      "Who suggests the change: a person or an agent.",
      Schema.Literal("ai_edit", "user_suggestion", "review_comment")
    ),
    changes: described(
      "Changes to the text, in any order. All positions are positions in the original text.",
      Schema.Array(TextChange).pipe(Schema.maxItems(changesMax))
    ),
    proposedContent: described("Whole text after the changes.", Text),
    originalContent: described(
      "Text to which the changes apply. Default: the current text.",
      Schema.optionalWith(Text, { exact: true })
    ),
    ...createDetails
  }).annotations({ identifier: "DocumentProposal" }),
  {
    documentId: "01890a5d-ac96-774b-bcce-b302099a8057",
    proposalType: "ai_edit",
    originalContent: "The quay is wet.",
    changes: [{ op: "replace", range: { start: 12, end: 15 }, text: "dry" }],
    proposedContent: "The quay is dry."
  }
)
export type DocumentProposal = typeof DocumentProposal.Type

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  entityId: described("Id of the entity that the document belongs to.", Schema.optional(Id)),
  projectId: Schema.optional(ProjectId)
}

export const DocumentQuery = Schema.Struct({ ...filters, ...pageQuery("documents", 50, 200) })
export const RevisionQuery = Schema.Struct(pageQuery("revisions", 50, 200))

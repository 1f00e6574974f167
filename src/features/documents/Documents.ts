/**
 * The service of documents. It merges edits field by field, stores suggestions until a person decides, and keeps every
 * revision.
 */
import { Context, Effect, Layer } from "effect"
import type { PagePlace } from "../../doors/PageOrder.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, type Forbidden, invalid, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { mergeFields } from "../gate/Merge.ts"
import type { WriteDetails } from "../gate/Changers.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations, WriteFailure } from "../records/RecordOperations.ts"
import type { Revision } from "../records/MemoryRevisions.ts"
import { RecordHistory } from "../records/RecordHistory.ts"
import { type Listing, Records } from "../records/Records.ts"
import { fieldOf, type OwnFields, type Patch } from "../records/RecordType.ts"
import { requestedSpaces } from "../workspaces/WorkspaceAccess.ts"
import { Document, DocumentHead, documentRuleInput, type DocumentProposal } from "./Document.ts"
import { applyTextChanges } from "./TextChanges.ts"

type Reasons = Pick<WriteDetails, "reasoning" | "sessionId">

export interface CreatedDocument {
  readonly document: Document
  /** Whether a document with exactly this title and content already existed. */
  readonly isKnown: boolean
}

export class Documents extends Context.Tag("pod/Documents")<
  Documents,
  {
    /** Lists the documents, without their content, latest change first. */
    readonly list: (
      listing: Omit<Listing<DocumentHead>, "spaces"> & { readonly workspaceId?: string | undefined }
    ) => Effect.Effect<Page<DocumentHead>, Forbidden, Reach>
    readonly get: RecordOperations<Document>["get"]
    readonly create: RecordOperations<Document>["create"]
    /**
     * Looks in the space of the draft for a document that has the same title and content and that the caller can read.
     * Returns this document. If there is none, or if the draft has no content, creates a document. Simultaneous calls
     * with the same title and content create one document.
     */
    readonly createOnce: (
      draft: { readonly workspaceId?: string | null | undefined; readonly fields: OwnFields<Document> } & Reasons
    ) => Effect.Effect<CreatedDocument, WriteFailure, Reach>
    /**
     * Applies an edit to the current document. The edit is based on an earlier revision. If somebody has changed the
     * same fields after that revision, fails with Conflict and names the fields.
     */
    readonly edit: (
      id: string,
      baseRevision: number,
      fields: Patch<Document>,
      reasons: Reasons
    ) => Effect.Effect<Document, WriteFailure, Reach>
    readonly remove: RecordOperations<Document>["remove"]
    /** Lists the revisions of a document, latest first. */
    readonly revisions: (id: string, page: PagePlace) => Effect.Effect<Page<Revision<DocumentHead>>, NotFound, Reach>
    readonly revision: (id: string, revision: number) => Effect.Effect<Revision<Document>, NotFound, Reach>
    /** Restores a revision: writes its title, content and type as a new revision. */
    readonly restoreRevision: (
      id: string,
      revision: number,
      reasons: Reasons
    ) => Effect.Effect<Document, WriteFailure, Reach>
    /**
     * Proposes a new content with the changes that produce it. The proposal waits for a person if an agent sends it, or
     * if a person marks it as a suggestion. If a person sends changes of the type `ai_edit`, the pod writes the changes
     * without approval. Fails with Invalid if the changes do not produce the content, and with Conflict if the document
     * has other content than the changes expect.
     */
    readonly propose: (proposal: DocumentProposal) => Effect.Effect<Document, WriteFailure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const history = yield* RecordHistory
      const { exclusively } = yield* Transaction
      const documents = yield* governedRecords(Document, { ruleFields: documentRuleInput })

      const documentMissing = missingRecord("document")
      const noRevision = missingRecord("revision of the document")

      const revision = (id: string, version: number) =>
        Effect.zipRight(
          documents.get(id),
          Effect.catchTag(history.get(Document, id, version), "RecordNotFound", () => Effect.fail(noRevision))
        )

      const stale = (version: number, fields: ReadonlyArray<string>) =>
        new Conflict({
          code: "VERSION_CONFLICT",
          why: `The document is now at revision ${version}, and somebody has changed the same fields. Read the document again and edit the new revision.`,
          details: { revision: version, fields }
        })

      const only = (fields: object, names: ReadonlyArray<string>) =>
        Object.fromEntries(names.map((name) => [name, fieldOf(fields, name)]))

      /**
       * Merges an edit with the changes since `baseRevision`. Returns the fields to write, and the number of the
       * revision that this write replaces.
       */
      const rebased = Effect.fnUntraced(function* (id: string, baseRevision: number, edit: Patch<Document>) {
        const placed = Effect.catchTag(records.locate(Document, id, "update"), "RecordNotFound", () =>
          Effect.fail(documentMissing)
        )
        const { record: current } = yield* placed
        const editedFields = Object.entries(edit).filter(([, value]) => value !== undefined)
        const fields = Object.fromEntries(editedFields)
        if (baseRevision === current.version) return { fields, version: current.version }
        const names = Object.keys(fields)
        const base = yield* Effect.catchTag(history.get(Document, id, baseRevision), "RecordNotFound", () =>
          Effect.fail(stale(current.version, names))
        )
        const merged = mergeFields(only(base.fields, names), only(current, names), fields)
        if (merged.conflicts.length === 0) return { fields: merged.fields, version: current.version }
        return yield* stale(
          current.version,
          merged.conflicts.map(({ path }) => path.join("."))
        )
      })

      const editOnce = (id: string, baseRevision: number, edit: Patch<Document>, reasons: Reasons) =>
        Effect.flatMap(rebased(id, baseRevision, edit), ({ fields, version }) =>
          documents.update(id, fields, { ...reasons, expectedVersion: version })
        )

      /** Repeats a write if somebody else changed the document between the read and the write. */
      const withRetries = <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
        Effect.retry(work, {
          times: 3,
          while: (failure) => failure instanceof Conflict && failure.details === undefined
        })

      return {
        list: ({ workspaceId, ...listing }) =>
          Effect.flatMap(requestedSpaces(workspaceId), (spaces) => records.list(DocumentHead, { ...listing, spaces })),
        get: documents.get,
        create: documents.create,

        createOnce: Effect.fnUntraced(function* (draft) {
          const { principal } = yield* Reach
          const { content, title } = draft.fields
          yield* documents.mayCreate(draft.workspaceId)
          const created = Effect.map(documents.create(draft), (document) => ({ document, isKnown: false }))
          if (content === null || content === "") return yield* created
          const spaceId = draft.workspaceId ?? principal.personId
          const alike = { where: { title, content }, spaces: [spaceId], limit: 1 }
          const foundOrCreated = Effect.flatMap(records.list(Document, alike), ({ items: [known] }) =>
            known === undefined ? created : Effect.succeed({ document: known, isKnown: true })
          )
          // The code returns a failure as a value, so that the transaction commits. Otherwise the transaction would
          // lose a proposal that the pod stored instead of the document.
          const name = `documents with the title ${title} in ${spaceId}`
          return yield* Effect.flatten(exclusively(name, Effect.either(foundOrCreated)))
        }),

        edit: (id, baseRevision, fields, reasons) => withRetries(editOnce(id, baseRevision, fields, reasons)),
        remove: documents.remove,

        revisions: (id, page) => Effect.zipRight(documents.get(id), history.list(DocumentHead, id, page)),
        revision,
        restoreRevision: (id, version, reasons) =>
          Effect.flatMap(revision(id, version), ({ fields: { content, title, type } }) =>
            documents.update(id, { content, title, type }, reasons)
          ),

        propose: Effect.fnUntraced(function* ({
          changes,
          documentId,
          originalContent,
          proposalType,
          proposedContent,
          reasoning,
          sessionId
        }) {
          const { content, version } = yield* documents.get(documentId)
          const original = originalContent ?? content ?? ""
          if (applyTextChanges(original, changes) !== proposedContent) {
            return yield* invalid(
              "changes",
              "The original content with these changes is not equal to `proposedContent`. Send the changes that lead to `proposedContent`."
            )
          }
          if (original !== (content ?? "")) return yield* stale(version, ["content"])
          const isSuggestion = proposalType !== "ai_edit"
          const details = { reasoning, sessionId, expectedVersion: version, isForced: true, isSuggestion }
          return yield* documents.update(documentId, { content: proposedContent }, details)
        })
      }
    })
  )
}

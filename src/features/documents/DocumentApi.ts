/** The Hub endpoints of documents. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, rows, writes } from "../../doors/Door.ts"
import { described, idPath, DeleteResponse } from "../../doors/Fields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { pageOf } from "../../doors/Page.ts"
import { RawText } from "../../doors/RawText.ts"
import {
  Document,
  DocumentChange,
  DocumentDraft,
  DocumentHead,
  DocumentProposal,
  DocumentQuery,
  DocumentRevision,
  RevisionChoice,
  RevisionHead,
  RevisionQuery
} from "./Document.ts"

const readDoor = rows("hub-protocol.read", "document")
// A key with limits is allowed to read a document by its id, but not to list documents or read revisions (specification
// §5.4).
const readingAll = fullGrantInSpaces("hub-protocol.read")
const updateDoor = writes("hub-protocol.write", "document", ["update"])

const WholeNumber = Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 2_147_483_647)).annotations({
  jsonSchema: { type: "integer", minimum: 1, maximum: 2_147_483_647 }
})

export const DocumentApi = HttpApiGroup.make("documents")
  .annotate(OpenApi.Description, "Documents: texts that people and agents write. The pod keeps every revision.")
  .add(
    read("documents.list", {
      path: "/documents",
      query: DocumentQuery,
      success: pageOf(DocumentHead.schema),
      door: readingAll,
      summary: "List the documents that the caller may read, without their content, latest change first."
    })
  )
  .add(
    read("documents.get", {
      path: "/documents/:id",
      params: idPath,
      success: Document.schema,
      errors: [NotFound],
      door: readDoor,
      showsProbes: true,
      summary: "Read one document with its content."
    })
  )
  .add(
    read("documents.raw", {
      path: "/documents/:id/raw",
      params: idPath,
      success: RawText,
      errors: [NotFound],
      door: readDoor,
      summary: "Read the stored content of a document: Markdown as Markdown, every other type as plain text."
    })
  )
  .add(
    read("documents.revisions", {
      path: "/documents/:id/revisions",
      params: idPath,
      query: RevisionQuery,
      success: pageOf(RevisionHead),
      errors: [NotFound],
      door: readingAll,
      summary: "List the revisions of a document without their content, latest first."
    })
  )
  .add(
    read("documents.revision", {
      path: "/documents/:id/revisions/:revision",
      params: Schema.Struct({
        id: Id,
        revision: described("Number of the revision, starting at 1.", WholeNumber)
      }),
      success: DocumentRevision,
      errors: [NotFound],
      door: readingAll,
      summary: "Read one revision of a document."
    })
  )
  .add(
    write("documents.create", {
      method: "POST",
      path: "/documents",
      payload: DocumentDraft,
      success: Document.schema,
      door: writes("hub-protocol.write", "document", ["create"]),
      summary: "Create a document."
    })
  )
  .add(
    write("documents.propose", {
      method: "POST",
      path: "/documents/proposals",
      payload: DocumentProposal,
      success: Document.schema,
      door: updateDoor,
      summary:
        "Propose a new text for a document, with the changes that produce this text. A proposal of an agent waits for a person."
    })
  )
  .add(
    write("documents.update", {
      method: "PATCH",
      path: "/documents/:id",
      params: idPath,
      payload: DocumentChange,
      success: Document.schema,
      door: updateDoor,
      summary:
        "Edit a document, starting from the revision that you read. The pod keeps later changes by others to fields that you do not edit."
    })
  )
  .add(
    write("documents.restoreRevision", {
      method: "POST",
      path: "/documents/:id/restore-revision",
      params: idPath,
      payload: RevisionChoice,
      success: Document.schema,
      door: updateDoor,
      summary: "Restore an earlier revision: the pod stores the title and content of this revision as a new revision."
    })
  )
  .add(
    write("documents.delete", {
      method: "DELETE",
      path: "/documents/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "document", ["delete"]),
      summary: "Archive a document."
    })
  )

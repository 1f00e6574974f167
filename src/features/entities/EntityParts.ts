/** What is made with a new entity: the roles it plays and the document with its text. Taking it back takes that back too. */
import { Effect } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Document } from "../documents/Document.ts"
import type { Passed } from "../gate/Passed.ts"
import type { Records } from "../records/Records.ts"
import type { Entity, EntityContent } from "./Entity.ts"
import { Facet } from "./facets/Facet.ts"

const edited = new Conflict({
  code: "REVERT_CONFLICT",
  why: "Its document was edited since; taking it back would lose that."
})

export const entityParts = (records: typeof Records.Service) => ({
  /** Several statements: make them one transaction with the entity's own. */
  begin: (entity: Entity, spaceId: string, { content, facets = [] }: EntityContent, passed: Passed) =>
    Effect.gen(function* () {
      const { documentId, id: entityId, title } = entity
      for (const { properties, slug } of facets) {
        const id = uuidv7()
        const event = { type: "facet.create", subjectId: id, data: { type: "facet", title: slug, entityId } }
        yield* records.add(Facet, { id, spaceId, fields: { entityId, slug, properties } }, event, passed)
      }
      if (documentId === null || content === undefined) return
      const fields = { title, type: "markdown" as const, entityId, projectId: null, content }
      const data = { type: "document", title, entityId }
      const event = { type: "document.create", subjectId: documentId, data }
      yield* records.add(Document, { id: documentId, spaceId, fields }, event, passed)
    }),

  /** The document goes as it was written; somebody's edit of it stands, and is a Conflict. */
  takeBack: ({ documentId, id, title }: Entity, passed: Passed) =>
    Effect.gen(function* () {
      if (documentId === null) return
      const data = { type: "document", title, entityId: id }
      const event = { type: "document.delete", subjectId: documentId, data }
      yield* records.remove(Document, documentId, 1, event, passed)
    }).pipe(Effect.catchTags({ RecordNotFound: () => Effect.void, RecordChanged: () => Effect.fail(edited) }))
})

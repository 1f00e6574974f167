/**
 * Creates the parts of a new entity: its facets, and the document with its text. A revert of the create also removes the
 * document.
 */
import { Effect } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Document } from "../documents/Document.ts"
import type { Passed } from "../gate/Passed.ts"
import type { Records } from "../records/Records.ts"
import type { Entity, EntityContent } from "./Entity.ts"
import { Facet } from "../facets/Facet.ts"

const edited = new Conflict({
  code: "REVERT_CONFLICT",
  why: "Somebody has edited the document of the entity since this change. A revert would lose that edit."
})

export const entityParts = (records: typeof Records.Service) => ({
  /**
   * Creates the facets and the document of a new entity with several statements. The caller must run these statements in
   * one transaction with the statement that adds the entity.
   */
  begin: Effect.fnUntraced(function* (
    entity: Entity,
    spaceId: string,
    { content, facets = [] }: EntityContent,
    passed: Passed
  ) {
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

  /**
   * Removes the document if it still has its first version. Fails with Conflict if the document has a later version. In
   * that case somebody has edited the document, and the edit must not be lost.
   */
  takeBack: Effect.fnUntraced(
    function* ({ documentId, id, title }: Entity, passed: Passed) {
      if (documentId === null) return
      const data = { type: "document", title, entityId: id }
      const event = { type: "document.delete", subjectId: documentId, data }
      yield* records.remove(Document, documentId, 1, event, passed)
    },
    Effect.catchTags({ RecordNotFound: () => Effect.void, RecordChanged: () => Effect.fail(edited) })
  )
})

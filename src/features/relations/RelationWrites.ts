/**
 * Writes edges. The gate checks the entities at both ends of an edge. So if a key is limited to some objects, it can
 * write only edges between these objects. A key that is limited to projects can write no edges, because an edge belongs
 * to no project.
 */
import { Context, Effect, Layer, Option } from "effect"
import { spaceOf } from "../../doors/OwnSpace.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, type WriteRefusal, Forbidden, invalid } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import { Reach } from "../../doors/Reach.ts"
import { isUniqueViolation } from "../../platform/Database.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Entities } from "../entities/Entities.ts"
import { type Entity, entityOrMissing } from "../entities/Entity.ts"
import { writerOf } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import {
  type RequestedWrite,
  type Change,
  requestedContent,
  type JsonRecord,
  objectIn,
  type Snapshot
} from "../gate/Write.ts"
import { membershipType } from "../projects/Project.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { type Relation, RelationContent, type RelationDraft } from "./Relation.ts"
import { RelationDefs } from "./RelationDefs.ts"
import { RelationStore } from "./RelationStore.ts"

type Refused = WriteRefusal | Proposed

export class RelationWrites extends Context.Tag("pod/RelationWrites")<
  RelationWrites,
  {
    readonly create: (draft: RelationDraft) => Effect.Effect<Relation, Refused, Reach>
    readonly remove: (id: string) => Effect.Effect<void, Refused, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* RelationStore
      const { exclusively } = yield* Transaction
      const defs = yield* RelationDefs
      const entities = yield* Entities
      const gate = yield* GovernanceGate

      const entityOf = (id: string) => entityOrMissing(entities.get(id))

      /**
       * Checks the entities at both ends of an edge. They must exist, must be in the space, and must have kinds that
       * the relation type allows.
       */
      const checkedEnds = Effect.fnUntraced(function* (
        { sourceEntityId, targetEntityId, type }: RelationContent,
        named: string | undefined
      ) {
        if (type === membershipType)
          return yield* invalid("type", "To add entities to a project, call `POST /projects/{id}/entities`.")
        const source = yield* entityOf(sourceEntityId)
        const target = yield* entityOf(targetEntityId)
        if (source.id === target.id) return yield* invalid("targetEntityId", "An entity cannot be linked to itself.")
        const spaceId = named ?? spaceOf(source)
        if (spaceOf(source) !== spaceId || spaceOf(target) !== spaceId) {
          return yield* invalid(
            "workspaceId",
            "Both entities must be in the workspace or personal space of the relation."
          )
        }
        yield* defs.allows(type, spaceId, source.profileSlug, target.profileSlug)
        return { source, target, spaceId }
      })

      /**
       * Finds an existing edge of this type between the two entities, or returns null. If the type has no direction,
       * also finds an edge in the other direction.
       */
      const existing = Effect.fnUntraced(function* (content: RelationContent, spaceId: string) {
        const found = yield* store.find(content)
        if (found !== null) return found
        const ruling = yield* defs.definitionFor(content.type, spaceId)
        if (ruling === null || ruling.isDirectional) return null
        const { sourceEntityId, targetEntityId, type } = content
        return yield* store.find({ sourceEntityId: targetEntityId, targetEntityId: sourceEntityId, type })
      })

      /**
       * Adds the edge. Returns null if somebody else added an equal edge at the same moment. If the type has no
       * direction, an edge in the other direction is also equal, but the unique index does not refuse it. So for a type
       * without direction, this function checks and adds under a lock.
       */
      const oneOfTwins = <E>(
        content: RelationContent,
        spaceId: string,
        add: Effect.Effect<Relation | null, E, Reach>
      ): Effect.Effect<Relation | null, E, Reach> =>
        Effect.gen(function* () {
          const { sourceEntityId, targetEntityId, type } = content
          const ruling = yield* defs.definitionFor(type, spaceId)
          if (ruling === null || ruling.isDirectional) return yield* add
          const ends = [sourceEntityId, targetEntityId].toSorted().join(" and ")
          return yield* exclusively(
            `edges of ${type} between ${ends}`,
            Effect.flatMap(existing(content, spaceId), (found) => (found === null ? add : Effect.succeed(null)))
          )
        })

      const failMissing = () => Effect.fail(relationMissing)

      /**
       * Refuses a change if nobody could ever approve its proposal. An approval requires that the key that requested
       * the change covers the new edge. If this key is limited to some entities, it cannot cover an edge that does not
       * exist yet.
       */
      const canBeApproved = Effect.fnUntraced(function* (change: Change) {
        const { principal } = yield* Reach
        if (principal.holder.kind !== "agent" || (principal.grant?.entityIds ?? null) === null) return
        const { verdict } = yield* gate.judge(principal, change)
        if (verdict === "propose") {
          return yield* new Forbidden({
            code: "GRANT_DENIED",
            why: "A key that is limited to some entities cannot propose a relation. Use a key without that limit.",
            required: [`relation.${change.action}`],
            granted: principal.grant?.permissions ?? ["*"],
            rung: "grant"
          })
        }
      })

      /** Finds the edge that a change is about, with the entities at both its ends. */
      const edgeOf = Effect.fnUntraced(function* (request: RequestedWrite) {
        if (request.action === "update") return yield* unchangeable
        if (request.action === "create") {
          const json = requestedContent(request, null)
          const edge = yield* contentOf(json)
          return { ...(yield* checkedEnds(edge, request.spaceId)), edge, content: json, base: null }
        }
        const { relation, spaceId } = yield* Effect.catchTag(
          store.locate(request.targetId),
          "RelationNotFound",
          failMissing
        )
        const source = yield* entityOf(relation.sourceEntityId)
        const target = yield* entityOf(relation.targetEntityId)
        const base = snapshotOf(relation)
        return { source, target, spaceId, edge: relation, content: requestedContent(request, base), base }
      })

      const write = yield* writerOf<Relation | null>(targetType, {
        traits: { subject: "relation", actions: ["create", "delete"] },
        current: (id, spaceId) =>
          store.get(id).pipe(
            Effect.map((relation) => (spaceId === null || spaceOf(relation) === spaceId ? snapshotOf(relation) : null)),
            Effect.catchTag("RelationNotFound", () => Effect.succeed(null))
          ),
        describe: Effect.fnUntraced(function* (request) {
          const { personId } = (yield* Reach).principal
          const { base, content, edge, source, spaceId, target } = yield* edgeOf(request)
          const at = (entity: Entity) => objectIn(personId, spaceId, entity.id)
          return {
            object: at(source),
            also: [{ subject: "relation" as const, kind: null, action: request.action, object: at(target) }],
            mentions: [source, target].map(({ id, profileSlug }) => ({
              subject: "entity" as const,
              kind: profileSlug,
              objectId: id
            })),
            content,
            base,
            summary: `${request.action === "create" ? "Link" : "Unlink"} “${source.title}” and “${target.title}” (${edge.type})`
          }
        }),
        check: Effect.fnUntraced(function* (change, moment) {
          if (moment === "reverted") return { content: change.content }
          if (moment === "asked" || moment === "proposed") yield* canBeApproved(change)
          if (change.action === "delete" && moment !== "approved" && Object.keys(change.content).length > 0) {
            return yield* invalid("data", "Send no content when you remove a relation.")
          }
          // If the edge already exists, a direct create returns the existing edge. But the pod refuses an approval or a
          // restore in this case, because they must add an edge.
          if ((moment === "approved" || moment === "restored") && change.action === "create") {
            const content = yield* contentOf(change.content)
            if ((yield* existing(content, change.object.spaceId)) !== null) return yield* linkedAlready
          }
          return { content: change.content }
        }),
        apply: Effect.fnUntraced(
          function* ({ action, base, content: json, expectedVersion, object, targetId: id }, passed) {
            switch (action) {
              case "create": {
                const content = yield* contentOf(json)
                const event = eventOf("create", id, json)
                const { spaceId } = object
                const relation = yield* oneOfTwins(
                  content,
                  spaceId,
                  store.add({ id, spaceId, ...content }, event, passed)
                )
                return relation ?? (yield* existing(content, spaceId)) ?? (yield* linkedAlready)
              }
              case "update":
                return yield* unchangeable
              case "delete":
                return yield* store.remove(id, expectedVersion, eventOf("delete", id, base?.fields ?? {}), passed)
              case "restore": {
                // If somebody adds an equal edge between the check and this write, the other edge stays and the restore
                // fails.
                const content = yield* contentOf(base?.fields ?? {})
                const restored = store.restore(id, eventOf("restore", id, base?.fields ?? {}), passed)
                const relation = yield* oneOfTwins(content, object.spaceId, restored).pipe(
                  Effect.catchTag("RelationNotFound", () => linkedAlready),
                  Effect.catchSomeDefect((defect) =>
                    isUniqueViolation(defect) ? Option.some(linkedAlready) : Option.none()
                  )
                )
                return relation ?? (yield* linkedAlready)
              }
            }
          },
          Effect.catchTag("RelationNotFound", failMissing)
        )
      })

      return {
        create: Effect.fnUntraced(function* (draft) {
          const { metadata, reasoning, sessionId, sourceEntityId, targetEntityId, type, workspaceId } = draft
          const content = { sourceEntityId, targetEntityId, type, metadata }
          const spaceId =
            workspaceId === undefined ? spaceOf(yield* entityOf(sourceEntityId)) : yield* requestedSpace(workspaceId)
          const relation = yield* write(
            { action: "create", targetId: uuidv7(), spaceId, content },
            { reasoning, sessionId },
            () => Effect.map(existing(content, spaceId), (found) => found ?? undefined)
          )
          return relation ?? (yield* linkedAlready)
        }),
        remove: Effect.fnUntraced(function* (id) {
          const { principal } = yield* Reach
          yield* write({ action: "delete", targetId: id, spaceId: principal.personId, content: {} })
        })
      }
    })
  )
}

const targetType = "relation"

const relationMissing = missingRecord("relation")
const linkedAlready = new Conflict({
  code: "LINKED_ALREADY",
  why: "A relation of this type already links the two entities."
})
const unchangeable = invalid("proposalType", "A relation can be created or deleted, but cannot be changed.")

const contentOf = strictDecoder(RelationContent)

const snapshotOf = ({ metadata, sourceEntityId, targetEntityId, type, version }: Relation): Snapshot => ({
  version,
  fields: { sourceEntityId, targetEntityId, type, metadata }
})

const eventOf = (action: "create" | "delete" | "restore", id: string, fields: JsonRecord) => ({
  type: `relation.${action}`,
  subjectId: id,
  data: {
    type: fields["type"],
    sourceEntityId: fields["sourceEntityId"],
    targetEntityId: fields["targetEntityId"]
  }
})

/**
 * How edges are written. The objects of an edge are its ends, so the gate is asked about both: a key limited to objects
 * draws and removes edges between those objects alone, and one limited to projects none, for an edge is filed in none.
 */
import { Context, Effect, Layer } from "effect"
import { Conflict, Forbidden, Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { strictly } from "../../doors/Faults.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Entities } from "../entities/Entities.ts"
import type { Entity } from "../entities/Entity.ts"
import { type AppliedChange, Changers } from "../governance/Changers.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { Change, GatedWrite, Json, Snapshot } from "../governance/Write.ts"
import { membershipType } from "../projects/Project.ts"
import { spaceNamed } from "../workspaces/WorkspaceAccess.ts"
import { type Relation, RelationContent, type RelationDraft } from "./Relation.ts"
import { RelationDefs } from "./RelationDefs.ts"
import { RelationStore } from "./RelationStore.ts"

type Refused = Forbidden | Proposed | NotFound | Invalid | Conflict

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
      const defs = yield* RelationDefs
      const entities = yield* Entities
      const gate = yield* GovernanceGate
      const changers = yield* Changers

      const entityOf = (id: string) =>
        Effect.catchTag(entities.get(id), "EntityNotFound", () =>
          Effect.fail(new NotFound({ why: "There is no such entity." }))
        )

      /** Both ends, which have to be there, in the space, and of kinds that the type allows. */
      const checkedEnds = ({ sourceEntityId, targetEntityId, type }: RelationContent, named: string | undefined) =>
        Effect.gen(function* () {
          if (type === membershipType) return yield* invalid("type", "File entities with POST /projects/{id}/entities.")
          const source = yield* entityOf(sourceEntityId)
          const target = yield* entityOf(targetEntityId)
          if (source.id === target.id) return yield* invalid("targetEntityId", "An entity is not linked to itself.")
          const spaceId = named ?? spaceOf(source)
          if (spaceOf(source) !== spaceId || spaceOf(target) !== spaceId) {
            return yield* invalid("workspaceId", "Both ends have to live in the space of the relation.")
          }
          yield* defs.allows(type, spaceId, source.profileSlug, target.profileSlug)
          return { source, target, spaceId }
        })

      /** The edge that is there, either way round where its type has no direction. */
      const existing = (content: RelationContent, spaceId: string) =>
        Effect.gen(function* () {
          const found = yield* store.find(content)
          if (found !== null) return found
          const ruling = yield* defs.ruling(content.type, spaceId)
          if (ruling === null || ruling.isDirectional) return null
          const { sourceEntityId, targetEntityId, type } = content
          return yield* store.find({ sourceEntityId: targetEntityId, targetEntityId: sourceEntityId, type })
        })

      /**
       * An approval decides on the edge, whose own id is in no list of objects: what an agent with such a list would
       * have to ask for could never be approved, so it is refused at once.
       */
      const passed = (change: Change) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          if (principal.holder.kind === "agent" && (principal.grant?.entityIds ?? null) !== null) {
            const { verdict } = yield* gate.judge(principal, change)
            if (verdict === "propose") {
              return yield* new Forbidden({
                code: "GRANT_DENIED",
                why: "A key limited to objects cannot propose a relation. Use one without that limit.",
                required: [`relation.${change.action}`],
                granted: principal.grant?.permissions ?? ["*"]
              })
            }
          }
          yield* gate.pass(change)
        })

      const added = (id: string, spaceId: string, content: RelationContent) =>
        store.add({ id, spaceId, ...content }, eventOf("create", id, content))

      const gone = () => Effect.fail(absent)

      const apply = (change: AppliedChange) =>
        Effect.gen(function* () {
          const { action, base, expectedVersion, object, targetId } = change
          switch (action) {
            case "create": {
              const content = yield* contentOf(change.content)
              yield* checkedEnds(content, object.spaceId)
              const made = yield* added(targetId, object.spaceId, content)
              return made === null ? yield* linkedAlready : snapshotOf(made)
            }
            case "update":
              return yield* unchangeable
            case "delete":
              return snapshotOf(
                yield* store.remove(targetId, expectedVersion, eventOf("delete", targetId, base?.fields ?? {}))
              )
            case "restore":
              return snapshotOf(yield* store.restore(targetId, eventOf("restore", targetId, base?.fields ?? {})))
          }
        }).pipe(Effect.catchTag("RelationNotFound", gone))

      yield* changers.register(targetType, {
        current: (id) =>
          store.get(id).pipe(
            Effect.map(snapshotOf),
            Effect.catchTag("RelationNotFound", () => Effect.succeed(null))
          ),
        apply,
        check: (change) =>
          Effect.gen(function* () {
            if (change.action === "update") return yield* unchangeable
            if (change.action === "create") yield* checkedEnds(yield* contentOf(change.content), change.object.spaceId)
          }),
        also: ({ action, base, content, object }) => otherEnd(action, { ...base?.fields, ...content }, object),
        describe: (action, id, content, named) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            if (action === "update") return yield* unchangeable
            if (action === "create") {
              const edge = yield* contentOf(content)
              const { source, target, spaceId } = yield* checkedEnds(edge, named)
              return described(action, source, target, edge.type, spaceId, principal.personId)
            }
            const { relation, spaceId } = yield* Effect.catchTag(store.place(id), "RelationNotFound", gone)
            const source = yield* entityOf(relation.sourceEntityId)
            const target = yield* entityOf(relation.targetEntityId)
            return described(action, source, target, relation.type, spaceId, principal.personId)
          })
      })

      return {
        create: Effect.fn("RelationWrites.create")(function* (draft) {
          const { principal } = yield* Reach
          const { metadata, reasoning, sessionId, sourceEntityId, targetEntityId, type, workspaceId } = draft
          const named = workspaceId === undefined ? undefined : yield* spaceNamed(workspaceId)
          const content = { sourceEntityId, targetEntityId, type, metadata }
          const { source, target, spaceId } = yield* checkedEnds(content, named)
          const id = uuidv7()
          const write = described("create", source, target, type, spaceId, principal.personId)
          const change: Change = {
            ...write,
            action: "create",
            also: otherEnd("create", content, write.object),
            targetType,
            targetId: id,
            content,
            base: null,
            reasoning,
            sessionId
          }
          yield* gate.refuse(change)
          const before = yield* existing(content, spaceId)
          if (before !== null) return before
          yield* passed(change)
          return (yield* added(id, spaceId, content)) ?? (yield* store.find(content)) ?? (yield* linkedAlready)
        }),
        remove: Effect.fn("RelationWrites.remove")(function* (id) {
          const { principal } = yield* Reach
          const { relation, spaceId } = yield* Effect.catchTag(store.place(id), "RelationNotFound", gone)
          const source = yield* entityOf(relation.sourceEntityId)
          const target = yield* entityOf(relation.targetEntityId)
          const base = snapshotOf(relation)
          const write = described("delete", source, target, relation.type, spaceId, principal.personId)
          yield* passed({
            ...write,
            action: "delete",
            also: otherEnd("delete", base.fields, write.object),
            targetType,
            targetId: id,
            content: {},
            base
          })
          yield* Effect.catchTag(store.remove(id, null, eventOf("delete", id, base.fields)), "RelationNotFound", gone)
        })
      }
    })
  )
}

const targetType = "relation"

const absent = new NotFound({ why: "There is no such relation." })
const linkedAlready = new Conflict({ code: "LINKED_ALREADY", why: "These are linked like that already." })
const unchangeable = invalid("proposalType", "A relation is created or deleted, never changed.")

const contentOf = strictly(RelationContent)

const spaceOf = ({ userId, workspaceId }: Entity) => workspaceId ?? userId

const snapshotOf = ({ metadata, sourceEntityId, targetEntityId, type, version }: Relation): Snapshot => ({
  version,
  fields: { sourceEntityId, targetEntityId, type, metadata }
})

const eventOf = (action: "create" | "delete" | "restore", id: string, fields: Json) => ({
  type: `relation.${action}`,
  subjectId: id,
  data: {
    type: fields["type"],
    sourceEntityId: fields["sourceEntityId"],
    targetEntityId: fields["targetEntityId"]
  }
})

/** The write as the gate sees it, about the source. */
const described = (
  action: "create" | "delete",
  source: Entity,
  target: Entity,
  type: string,
  spaceId: string,
  personId: string
) => ({
  subject: "relation" as const,
  kind: null,
  object: { spaceId, isPersonal: spaceId === personId, objectId: source.id, projectIds: [] },
  summary: `${action === "create" ? "Link" : "Unlink"} “${source.title}” and “${target.title}” (${type})`
})

/** The same write about the target. */
const otherEnd = (action: Change["action"], fields: Json, object: Change["object"]): ReadonlyArray<GatedWrite> => {
  const target = fields["targetEntityId"]
  return [
    {
      subject: "relation",
      kind: null,
      action,
      object: { ...object, objectId: typeof target === "string" ? target : null }
    }
  ]
}

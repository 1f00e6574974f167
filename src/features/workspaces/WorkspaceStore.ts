/** What is kept of workspaces and who belongs to them. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { Revocations } from "../../doors/Revocations.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import { MemoryUsers } from "../people/PeopleStore.ts"
import { type NewWorkspace, type Workspace, type WorkspaceDetail, WorkspaceNotFound } from "./Workspace.ts"

export interface WorkspaceListing {
  readonly workspaces: ReadonlyArray<Workspace>
  /** Entities in the caller's own space. */
  readonly podEntityCount: number
}

export class WorkspaceStore extends Context.Tag("pod/WorkspaceStore")<
  WorkspaceStore,
  {
    /** The caller's workspaces, by name. */
    readonly list: Effect.Effect<WorkspaceListing, never, Reach>
    readonly get: (id: string) => Effect.Effect<WorkspaceDetail, WorkspaceNotFound, Reach>
    /** Adds it with the caller's person as owner, and its event as the first of its log. */
    readonly add: (
      made: NewWorkspace
    ) => Effect.Effect<{ readonly workspaceId: string; readonly created: boolean }, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const users = yield* MemoryUsers
      const revocations = yield* Revocations
      const kept = yield* Ref.make<ReadonlyArray<Kept>>([])
      const visible = Effect.gen(function* () {
        const { bounds, principal } = yield* Reach
        const { spaces } = bounds("workspace", "read")
        return (yield* Ref.get(kept)).filter(({ id, ownerId }) => spaces.includes(id) && ownerId === principal.personId)
      })
      return {
        list: Effect.map(visible, (all) => ({
          workspaces: all.toSorted((one, other) => (`${one.name} ${one.id}` < `${other.name} ${other.id}` ? -1 : 1)),
          podEntityCount: 0
        })),
        get: (id) =>
          Effect.flatMap(visible, (all) => {
            const found = all.find((each) => each.id === id)
            return found === undefined ? Effect.fail(new WorkspaceNotFound({ id })) : Effect.succeed(found)
          }),
        add: (made) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const { personId } = reach.principal
            const earlier = (yield* Ref.get(kept)).find(
              (each) => made.proposalId !== null && each.proposalId === made.proposalId && each.ownerId === personId
            )
            if (earlier !== undefined) return { workspaceId: earlier.id, created: false }
            const now = yield* DateTime.now
            const person = (yield* Ref.get(users.all)).get(personId)
            yield* Ref.update(kept, (all) => [
              ...all,
              {
                id: made.id,
                name: made.name,
                description: null,
                role: "owner" as const,
                workspaceType: made.workspaceType,
                entityCount: 0,
                usedByProjectIds: [],
                provisioningStatus: "ready",
                createdAt: now,
                updatedAt: now,
                ownerId: personId,
                proposalId: made.proposalId,
                members: [
                  {
                    userId: personId,
                    name: person?.name ?? "",
                    kind: "person" as const,
                    role: "owner" as const,
                    joinedAt: now
                  }
                ]
              }
            ])
            if (person !== undefined) {
              yield* Ref.update(users.all, (all) =>
                new Map(all).set(personId, {
                  ...person,
                  epoch: person.epoch + 1,
                  memberships: [...person.memberships, { spaceId: made.id, role: "owner" as const }]
                })
              )
            }
            // Where a statement would find the epoch moved on, the twin says so itself.
            revocations.end(reach.principal.credential.id)
            yield* append(reach, made.id, { type: "workspace.create", subjectId: made.id, data: { name: made.name } })
            return { workspaceId: made.id, created: true }
          })
      }
    })
  )
}

/** A workspace with whose it is: in the twin nobody else can belong to it. */
interface Kept extends WorkspaceDetail {
  readonly ownerId: string
  readonly proposalId: string | null
}

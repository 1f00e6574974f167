/** What is kept of workspaces and who belongs to them. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { type Bounds, Reach } from "../../doors/Reach.ts"
import { Revocations } from "../../doors/Revocations.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { Passed } from "../gate/Passed.ts"
import type { WorkspacePolicy } from "../gate/Policy.ts"
import { MemoryUsers } from "../people/PeopleStore.ts"
import {
  type MadeWorkspace,
  type Member,
  type NewWorkspace,
  type ProvisioningStatus,
  type Workspace,
  type WorkspaceDetail,
  WorkspaceNotFound
} from "./Workspace.ts"
import { settingsWith, type WorkspaceSettings } from "./WorkspaceSettings.ts"
import type { Use } from "./WorkspaceUse.ts"

/** A workspace without what is in it. */
export type BareWorkspace = Omit<Workspace, keyof Use>

export class WorkspaceStore extends Context.Tag("pod/WorkspaceStore")<
  WorkspaceStore,
  {
    /** The caller's workspaces, by name. */
    readonly list: Effect.Effect<ReadonlyArray<BareWorkspace>, never, Reach>
    readonly get: (id: string) => Effect.Effect<Omit<WorkspaceDetail, keyof Use>, WorkspaceNotFound, Reach>
    /** Adds it with the caller's person as owner, and its event as the first of its log. */
    readonly add: (made: NewWorkspace, passed: Passed) => Effect.Effect<MadeWorkspace, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const { kept, users } = yield* MemoryWorkspaces
      const revocations = yield* Revocations
      const membersOf = (workspace: KeptWorkspace) =>
        Effect.gen(function* () {
          const joinedAt = workspace.createdAt
          const people = [...(yield* Ref.get(users.all))].flatMap(([userId, { memberships, name }]): Array<Member> => {
            const role = memberships.find(({ spaceId }) => spaceId === workspace.id)?.role
            return role === undefined ? [] : [{ userId, name, kind: "person", role, joinedAt }]
          })
          const agents = [...(yield* Ref.get(users.agents))].flatMap(([userId, { agent, roles }]): Array<Member> => {
            const role = roles.get(workspace.id)
            return role === undefined ? [] : [{ userId, name: agent.name, kind: "agent", role, joinedAt }]
          })
          return [...people, ...agents]
        })
      const visible = Effect.gen(function* () {
        const { bounds, principal } = yield* Reach
        const memberships = (yield* Ref.get(users.all)).get(principal.personId)?.memberships ?? []
        return (yield* Ref.get(kept)).flatMap((workspace): ReadonlyArray<Seen> => {
          const role = memberships.find(({ spaceId }) => spaceId === workspace.id)?.role
          return role !== undefined && isWithin(bounds("workspace", "read"), workspace)
            ? [{ workspace, listed: listed(workspace, role) }]
            : []
        })
      })
      return {
        list: Effect.map(visible, (all) =>
          all
            .map((each) => each.listed)
            .toSorted((one, other) => (`${one.name} ${one.id}` < `${other.name} ${other.id}` ? -1 : 1))
        ),
        get: (id) =>
          Effect.gen(function* () {
            const found = (yield* visible).find(({ workspace }) => workspace.id === id)
            if (found === undefined) return yield* new WorkspaceNotFound({ id })
            const { settings, version } = found.workspace
            const members = yield* membersOf(found.workspace)
            return { ...found.listed, version, publicProjection: settings.publicProjection, members }
          }),
        add: (made, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const { personId } = reach.principal
            const earlier = (yield* Ref.get(kept)).find((each) => each.ownerId === personId && isSameWish(each, made))
            if (earlier !== undefined) return { workspaceId: earlier.id, created: false }
            const now = yield* DateTime.now
            const person = (yield* Ref.get(users.all)).get(personId)
            const { governance = null, provisioningStatus = "ready", provisionKey = null } = made
            yield* Ref.update(kept, (all) => [
              ...all,
              {
                ...made,
                provisionKey,
                governance,
                provisioningStatus,
                ownerId: personId,
                description: null,
                settings: settingsWith({}),
                version: 1,
                failure: null,
                isArchived: false,
                createdAt: now,
                updatedAt: now
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
            yield* append(
              reach,
              made.id,
              { type: "workspace.create", subjectId: made.id, data: { name: made.name } },
              passed
            )
            return { workspaceId: made.id, created: true }
          })
      }
    })
  )
}

/** A workspace as the twins keep it. */
export interface KeptWorkspace extends Required<NewWorkspace> {
  readonly ownerId: string
  readonly description: string | null
  readonly settings: WorkspaceSettings
  readonly governance: WorkspacePolicy | null
  readonly version: number
  readonly provisioningStatus: ProvisioningStatus
  readonly failure: { readonly step: string; readonly why: string } | null
  readonly isArchived: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** Whether one that is still there is among those that bounds name. */
export const isWithin = ({ objects, spaces }: Bounds, { id, isArchived }: KeptWorkspace): boolean =>
  !isArchived && spaces.includes(id) && (objects === null || objects.includes(id))

interface Seen {
  readonly workspace: KeptWorkspace
  readonly listed: BareWorkspace
}

const listed = (workspace: KeptWorkspace, role: Workspace["role"]): BareWorkspace => ({
  id: workspace.id,
  name: workspace.name,
  description: workspace.description,
  role,
  workspaceType: workspace.workspaceType,
  sourceRoles: workspace.settings.sourceRoles,
  defaultSources: workspace.settings.defaultSources,
  provisioningStatus: workspace.provisioningStatus,
  ...(workspace.failure === null ? {} : { failedStep: workspace.failure.step, failedStepError: workspace.failure.why }),
  createdAt: workspace.createdAt,
  updatedAt: workspace.updatedAt
})

const isSameWish = (kept: KeptWorkspace, made: NewWorkspace) =>
  (made.proposalId !== null && kept.proposalId === made.proposalId) ||
  (typeof made.provisionKey === "string" && kept.provisionKey === made.provisionKey)

/** Where the twins of the stores about workspaces keep them, and the people and agents that belong to them. */
export class MemoryWorkspaces extends Context.Tag("pod/MemoryWorkspaces")<
  MemoryWorkspaces,
  {
    readonly kept: Ref.Ref<ReadonlyArray<KeptWorkspace>>
    readonly users: typeof MemoryUsers.Service
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.all({ kept: Ref.make<ReadonlyArray<KeptWorkspace>>([]), users: MemoryUsers })
  )
}

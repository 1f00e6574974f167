/** The store of workspaces and their members. It reads workspaces and adds new workspaces. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { compareTexts } from "../../doors/PageOrder.ts"
import { Revocations } from "../../doors/Revocations.ts"
import type { Rows } from "../../platform/MemoryDatabase.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { workspacePolicyTable } from "../gate/PolicyTable.ts"
import { advanceEpoch, agentTable, membershipTable, personTable, membershipKey, roleOf } from "../people/UserTables.ts"
import {
  type CreatedWorkspace,
  EarlierWorkspaceGone,
  type Member,
  type NewWorkspace,
  type Workspace,
  type forOlderClients,
  type WorkspaceDetail,
  WorkspaceNotFound
} from "./Workspace.ts"
import { settingsWith } from "./WorkspaceSettings.ts"
import { isWorkspaceWithin, type StoredWorkspace, workspaceTable } from "./WorkspaceTable.ts"
import type { WorkspaceUseCounts } from "./WorkspaceUse.ts"

/**
 * The fields of a workspace that the store does not return: the numbers of entities and projects, and the fields that
 * are the same for every workspace.
 */
type NotStored = keyof WorkspaceUseCounts | keyof typeof forOlderClients

export type WorkspaceWithoutUse = Omit<Workspace, NotStored>

export class WorkspaceStore extends Context.Tag("pod/WorkspaceStore")<
  WorkspaceStore,
  {
    /** The caller's workspaces, sorted by name. */
    readonly list: Effect.Effect<ReadonlyArray<WorkspaceWithoutUse>, never, Reach>
    readonly get: (id: string) => Effect.Effect<Omit<WorkspaceDetail, NotStored>, WorkspaceNotFound, Reach>
    /**
     * Adds a workspace. The owner of the workspace is the caller's person. The event of the creation is the first event
     * in the log of the workspace. If the person has used the `proposalId` or `provisionKey` before, returns the
     * earlier workspace. Fails if the person can no longer read the earlier workspace.
     */
    readonly add: (
      workspace: NewWorkspace,
      passed: Passed
    ) => Effect.Effect<CreatedWorkspace, EarlierWorkspaceGone, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { read, write } = yield* memoryStatements
      const revocations = yield* Revocations
      /**
       * Returns a list with the workspace. Returns an empty list if the call is not allowed to read the workspace, or
       * if the caller's person is not a member of the workspace.
       */
      const seen = ({ reach, rows }: ReadContext, workspace: StoredWorkspace): ReadonlyArray<WorkspaceWithoutUse> => {
        const { personId } = reach.principal
        const membership = rows.find(membershipTable, membershipKey({ userId: personId, spaceId: workspace.id }))
        const isVisible = membership !== undefined && isWorkspaceWithin(reach.bounds("workspace", "read"), workspace)
        return isVisible ? [toListItem(workspace, membership)] : []
      }

      return {
        list: read((at) =>
          Effect.succeed(
            at.rows
              .all(workspaceTable)
              .flatMap((workspace) => seen(at, workspace))
              .toSorted((one, other) => compareTexts(one.name, other.name) || compareTexts(one.id, other.id))
          )
        ),
        get: (id) =>
          read((at) => {
            const found = at.rows.find(workspaceTable, id)
            const [shown] = found === undefined ? [] : seen(at, found)
            if (found === undefined || shown === undefined) return new WorkspaceNotFound({ id })
            const { settings, version } = found
            const { publicProjection, searchLanguage } = settings
            return Effect.succeed({
              ...shown,
              version,
              publicProjection,
              searchLanguage,
              members: membersOf(at.rows, id)
            })
          }),
        add: ({ governance = null, ...fields }, passed) =>
          write(({ append, now, reach, rows }) => {
            const { credential, personId } = reach.principal
            const earlier = rows
              .all(workspaceTable)
              .filter((each) => each.ownerId === personId && isSameRequest(each, fields))
            if (earlier.length > 0) {
              const readable = earlier.find((each) => !each.isArchived && roleOf(rows, personId, each.id) !== null)
              return readable === undefined
                ? new EarlierWorkspaceGone()
                : Effect.succeed({ workspaceId: readable.id, created: false })
            }
            const { id, name, provisioningStatus = "ready", provisionKey = null } = fields
            rows.put(workspaceTable, {
              ...fields,
              provisionKey,
              provisioningStatus,
              ownerId: personId,
              description: null,
              settings: settingsWith({}),
              version: 1,
              failure: null,
              isArchived: false,
              createdAt: now,
              updatedAt: now
            })
            if (governance !== null) rows.put(workspacePolicyTable, { spaceId: id, policy: governance })
            rows.put(membershipTable, { userId: personId, spaceId: id, role: "owner", joinedAt: now })
            advanceEpoch(rows, personId)
            // In SQL, the statements notice that the epoch of the person's access is higher now. In memory, this line
            // removes the cached access instead.
            revocations.end(credential.id)
            append(id, { type: "workspace.create", subjectId: id, data: { name } }, passed)
            return Effect.succeed({ workspaceId: id, created: true })
          })
      }
    })
  )
}

/** Lists the members in the order in which they joined. */
const membersOf = (rows: Rows, workspaceId: string): ReadonlyArray<Member> =>
  rows
    .all(membershipTable)
    .filter(({ spaceId }) => spaceId === workspaceId)
    .flatMap(({ joinedAt, role, userId }): ReadonlyArray<Member> => {
      const [person, agent] = [rows.find(personTable, userId), rows.find(agentTable, userId)]
      if (person !== undefined) return [{ userId, name: person.name, kind: "person", role, joinedAt }]
      return agent === undefined ? [] : [{ userId, name: agent.name, kind: "agent", role, joinedAt }]
    })

const toListItem = (
  workspace: StoredWorkspace,
  { joinedAt, role }: Pick<Workspace, "joinedAt" | "role">
): WorkspaceWithoutUse => ({
  id: workspace.id,
  name: workspace.name,
  description: workspace.description,
  role,
  joinedAt,
  workspaceType: workspace.workspaceType,
  templateId: workspace.templateId,
  sourceRoles: workspace.settings.sourceRoles,
  defaultSources: workspace.settings.defaultSources,
  provisioningStatus: workspace.provisioningStatus,
  ...(workspace.failure === null ? {} : { failedStep: workspace.failure.step, failedStepError: workspace.failure.why }),
  createdAt: workspace.createdAt,
  updatedAt: workspace.updatedAt
})

const isSameRequest = (stored: StoredWorkspace, workspaceRequest: Pick<NewWorkspace, "proposalId" | "provisionKey">) =>
  (workspaceRequest.proposalId !== null && stored.proposalId === workspaceRequest.proposalId) ||
  (typeof workspaceRequest.provisionKey === "string" && stored.provisionKey === workspaceRequest.provisionKey)

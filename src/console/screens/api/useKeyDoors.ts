/** Which operations a key of the person may call. The pod decides this, not the console. */
import { useQuery } from "@tanstack/react-query"
import { type ProcedureInput, procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"

export type Key = ProcedureOutput<"apiKeys.list">[number]
export type Door = ProcedureOutput<"grants.preview">["doors"][number]
type Scope = NonNullable<ProcedureInput<"grants.preview">["scope"]>[number]

/**
 * The query that asks the pod what a key may do, from its scopes and its grant. A key without a grant has full access.
 */
export const previewOf = ({ grant, heldByAgent, holderId, scope, toolProfile, workspaceId }: Key) =>
  procedureQuery("grants.preview", {
    scope: scope as ReadonlyArray<Scope>, // `apiKeys.list` declares the scopes as plain texts
    grant: {
      permissions: grant?.permissions ?? ["*"],
      workspaceIds: grant?.workspaceIds ?? undefined,
      projectIds: grant?.projectIds ?? undefined,
      entityIds: grant?.entityIds ?? undefined
    },
    agentId: heldByAgent ? holderId : undefined,
    workspaceId: workspaceId ?? undefined,
    toolProfile
  })

export const doorName = (surface: string, operation: string): string => `${surface} ${operation}`

const noKey = { grant: null, heldByAgent: false, holderId: "", scope: [], toolProfile: null, workspaceId: null }

/**
 * Asks the pod which operations a key may call. Returns a map of the doors by `doorName`. The map is undefined if no
 * key is chosen, or until the answer arrives.
 */
export const useKeyDoors = (key: Key | undefined) => {
  const preview = useQuery({ ...previewOf(key ?? (noKey as unknown as Key)), enabled: key !== undefined })
  const doors =
    key === undefined || preview.data === undefined
      ? undefined
      : new Map(preview.data.doors.map((door) => [doorName(door.surface, door.operation), door]))
  return { doors, error: key === undefined ? null : preview.error }
}

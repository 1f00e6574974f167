/** Finds the names of people, agents and workspaces that the person may read. */
import { useQueries, useQuery } from "@tanstack/react-query"
import { hubQuery } from "./hub.ts"
import { procedureQuery } from "./procedures.ts"
import { useSession } from "./session.ts"
import { allPeopleQuery } from "./wholeLists.ts"

/** Returns the name of a person, an agent or a workspace by its id. */
export type Names = (id: string | null | undefined) => string

const unknownName = "somebody else"
const pendingName = "…" // The name might be known a moment later, so no list says "somebody else" meanwhile.

const namesStayMs = 60_000
const workspacesMax = 10 // The console reads the members of at most this many workspaces for the names of one list.

interface Member {
  readonly userId: string
  readonly workspaceId: string
}

/**
 * `mentioned` are members whose names a list shows. A person who may not list all people may still list the members of
 * their own workspaces. So if the name of a mentioned member is unknown, the hook also reads the members of the
 * workspace in which this member is mentioned.
 */
export const useNames = (
  mentioned: ReadonlyArray<Member> = []
): {
  readonly name: Names
  /** False if the name of this person or agent is unknown. */
  readonly isNamed: (id: string) => boolean
  readonly workspace: Names
} => {
  const session = useSession()
  const agents = useQuery({ ...procedureQuery("agents.list", {}), staleTime: namesStayMs })
  // Only the owner and administrators may list all people. For everybody else, this read fails and gives no names.
  const people = useQuery({ ...allPeopleQuery, staleTime: namesStayMs })
  const workspaces = useQuery({ ...procedureQuery("workspaces.list", {}), staleTime: namesStayMs })
  const own = session?.user
  const listed: (id: string | null | undefined) => string | undefined = (id) =>
    id === own?.id
      ? "you"
      : (agents.data?.find((each) => each.id === id)?.name ?? people.data?.find((each) => each.id === id)?.name)
  const isListRead = !agents.isPending && !people.isPending
  const places = mentioned.flatMap(({ userId, workspaceId }) =>
    isListRead && listed(userId) === undefined ? [workspaceId] : []
  )
  const members = useQueries({
    queries: [...new Set(places)].slice(0, workspacesMax).map((workspaceId) => ({
      ...hubQuery("GET /api/hub/workspaces/:workspaceId", { params: { workspaceId } }),
      staleTime: namesStayMs,
      retry: false
    }))
  })
  const known: (id: string | null | undefined) => string | undefined = (id) =>
    listed(id) ?? members.flatMap(({ data }) => data?.members ?? []).find(({ userId }) => userId === id)?.name
  const areNamesRead = isListRead && members.every(({ isPending }) => !isPending)
  return {
    name: (id) => known(id) ?? (areNamesRead ? unknownName : pendingName),
    isNamed: (id) => known(id) !== undefined,
    workspace: (id) =>
      id === null || id === undefined
        ? "Personal space"
        : (workspaces.data?.find((each) => each.id === id)?.name ??
          (workspaces.isPending ? pendingName : "another workspace"))
  }
}

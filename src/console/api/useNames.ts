/** Finds the names of people, agents and workspaces that the person may read. */
import { useQuery } from "@tanstack/react-query"
import { procedureQuery } from "./procedures.ts"
import { useSession } from "./session.ts"
import { allPeopleQuery } from "./wholeLists.ts"

/** Returns the name of a person, an agent or a workspace by its id. */
export type Names = (id: string | null | undefined) => string

const unknownName = "somebody else"

const namesStayMs = 60_000

export const useNames = (): {
  readonly name: Names
  /** False if the name of this person or agent is unknown. */
  readonly isNamed: (id: string) => boolean
  readonly workspace: Names
} => {
  const session = useSession()
  const agents = useQuery({ ...procedureQuery("agents.list", {}), staleTime: namesStayMs })
  // Only the owner and administrators may list all people. For any other person, the name of another person is unknown.
  const people = useQuery({ ...allPeopleQuery, staleTime: namesStayMs })
  const workspaces = useQuery({ ...procedureQuery("workspaces.list", {}), staleTime: namesStayMs })
  const own = session?.user
  const known: (id: string | null | undefined) => string | undefined = (id) =>
    id === own?.id
      ? "you"
      : (agents.data?.find((each) => each.id === id)?.name ?? people.data?.find((each) => each.id === id)?.name)
  return {
    name: (id) => known(id) ?? unknownName,
    isNamed: (id) => known(id) !== undefined,
    workspace: (id) =>
      id === null || id === undefined
        ? "Personal space"
        : (workspaces.data?.find((each) => each.id === id)?.name ?? "another workspace")
  }
}

/**
 * Makes a pod with a person in every role and rows in every space. Also describes the same people and rows as input for
 * the model of the access rules (`model.ts`).
 */
import { setRole } from "../support/membership.ts"
import { type Caller, ownerPassword, type Storage, type TestPod } from "../support/pod.ts"
import type { ModelPolicy } from "./ladderModel.ts"
import type { Person, MembershipRole, Row } from "./model.ts"

export interface World {
  readonly pod: TestPod
  readonly person: Person
  /** A session of the person. The person signed in after getting all roles. */
  readonly session: Caller
  /** The workspaces of the person, and after them one workspace to which the person does not belong. */
  readonly workspaceIds: ReadonlyArray<string>
  /** Two projects of each space, by the id of the space. */
  readonly projectIdsIn: ReadonlyMap<string, ReadonlyArray<string>>
  readonly agents: ReadonlyArray<WorldAgent>
  readonly rows: ReadonlyArray<Row>
}

/** An agent of the person, with its limits in each space. */
export interface WorldAgent {
  readonly id: string
  readonly capabilities: ReadonlyArray<string>
  readonly policyAt: (spaceId: string) => ModelPolicy
}

export const worldKinds = ["note", "knowledge", "task"]

/**
 * Makes three agents: a new agent without capabilities, an agent that may write entities and relations, and a relaxed
 * agent, which needs approval for fewer writes. The last two are members of both workspaces.
 */
const theAgents = async (
  pod: TestPod,
  storage: Storage,
  maker: Caller & { readonly id: string },
  [editing, viewing]: ReadonlyArray<string>
): Promise<ReadonlyArray<WorldAgent>> => {
  const drafts = [
    { name: "Reader", capabilities: [], isRelaxed: false, isLetIn: false },
    { name: "Scribe", capabilities: ["entity", "relation"], isRelaxed: false, isLetIn: true },
    {
      name: "Hand",
      capabilities: ["entity.note", "entity.task.create", "entity.task.update"],
      isRelaxed: true,
      isLetIn: true
    }
  ]
  const made: Array<WorldAgent> = []
  for (const { capabilities, isLetIn, isRelaxed, name } of drafts) {
    const { body } = await maker.mutate("agents.create", { name, capabilities })
    const { id } = body.result.data as { readonly id: string }
    if (isRelaxed) await maker.mutate("agents.update", { agentId: id, writesRequireProposal: false })
    const roles = new Map<string, MembershipRole>([[maker.id, "owner"]])
    if (isLetIn) roles.set(editing, "editor").set(viewing, "viewer")
    for (const [spaceId, role] of roles) {
      if (spaceId !== maker.id) await setRole(pod, storage, id, spaceId, role)
    }
    made.push({
      id,
      capabilities,
      policyAt: (spaceId) => ({
        role: roles.get(spaceId) ?? null,
        isRelaxed,
        isItsOwn: false,
        autoApproveFor: null,
        rules: []
      })
    })
  }
  return made
}

/**
 * Creates a row as a caller, and returns it in the form of the model. `workspaceId: null` is the caller's own space.
 */
export const aRow = async (
  caller: Caller,
  personId: string,
  row: {
    readonly workspaceId: string | null
    readonly kind: string
    readonly projectId?: string
    readonly title?: string
  }
): Promise<Row> => {
  const { workspaceId, kind: profileSlug, projectId, title = "A row" } = row
  const { status, body } = await caller.send("POST", "/api/hub/entities", {
    workspaceId,
    profileSlug,
    title,
    description: `${title}, described`,
    ...(projectId === undefined ? {} : { projectId })
  })
  if (status !== 200) throw new Error(`entities.create answered ${status}: ${JSON.stringify(body)}`)
  return {
    id: body.id as string,
    spaceId: workspaceId ?? personId,
    kind: profileSlug,
    projectIds: projectId === undefined ? [] : [projectId]
  }
}

/** Makes two projects in one place of a caller. `workspaceId: null` is the caller's own space. */
const twoProjects = async (caller: Caller, workspaceId: string | null): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (const name of ["First", "Second"]) {
    const { status, body } = await caller.send("POST", "/api/hub/projects", { workspaceId, name })
    if (status !== 200) throw new Error(`projects.create answered ${status}: ${JSON.stringify(body)}`)
    ids.push(body.id as string)
  }
  return ids
}

/** Makes a row of every kind in every place. Some rows are filed in projects. */
export const aWorld = async (pod: TestPod, storage: Storage): Promise<World> => {
  const email = "someone@example.com"
  const maker = await pod.aPerson(email)
  const other = await pod.aPerson("another@example.com")
  const roles: ReadonlyArray<MembershipRole> = ["owner", "admin", "editor", "viewer"]
  const workspaceIds: Array<string> = []
  for (const role of roles) workspaceIds.push(await pod.aWorkspace(maker, `As ${role}`))
  const foreign = await pod.aWorkspace(other, "Foreign")
  const projectIdsIn = new Map<string, ReadonlyArray<string>>()

  const rows: Array<Row> = []
  const fill = async (caller: Caller, personId: string, places: ReadonlyArray<string | null>) => {
    for (const workspaceId of places) {
      const projectIds = await twoProjects(caller, workspaceId)
      projectIdsIn.set(workspaceId ?? personId, projectIds)
      for (const kind of worldKinds) {
        // Rows are filed in the first project, in the second, or in none, in an order that does not depend on their
        // kinds.
        const projectId = projectIds[(rows.length + places.indexOf(workspaceId)) % 3]
        rows.push(
          await aRow(caller, personId, { workspaceId, kind, ...(projectId === undefined ? {} : { projectId }) })
        )
      }
    }
  }
  await fill(maker, maker.id, [null, ...workspaceIds])
  await fill(other, other.id, [null, foreign])

  const agents = await theAgents(pod, storage, maker, workspaceIds)
  for (const [at, role] of roles.entries()) await setRole(pod, storage, maker.id, workspaceIds[at], role)
  const { body } = await pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
  return {
    pod,
    person: {
      id: maker.id,
      roles: new Map<string, MembershipRole>([
        [maker.id, "owner"],
        ...workspaceIds.map((id, at) => [id, roles[at]] as const)
      ])
    },
    session: pod.as({ "x-session-token": body.token as string }),
    workspaceIds: [...workspaceIds, foreign],
    projectIdsIn,
    agents,
    rows
  }
}

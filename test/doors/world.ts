/** A pod with a person in every role, rows in every place, and the same world in the words of the model. */
import { SqlClient } from "@effect/sql"
import { Effect, Ref } from "effect"
import { MemoryUsers } from "../../src/features/people/PeopleStore.ts"
import { type Caller, ownerPassword, type Storage, type TestPod } from "../support/pod.ts"
import { asOwner } from "../support/stores.ts"
import type { Person, Role, Row } from "./model.ts"

export interface World {
  readonly pod: TestPod
  readonly person: Person
  /** Signed in after all roles were given. */
  readonly session: Caller
  /** Those the person is in, then one they are not in. */
  readonly workspaceIds: ReadonlyArray<string>
  readonly projectIds: ReadonlyArray<string>
  readonly agentId: string
  readonly rows: ReadonlyArray<Row>
}

export const worldKinds = ["note", "knowledge", "task"]

/** Gives a person another role in a workspace. No door does that yet: it is written where the pod keeps it. */
const setRole = (pod: TestPod, storage: Storage, personId: string, spaceId: string, role: Role): Promise<void> =>
  storage.kind === "memory"
    ? pod.run(
        Effect.flatMap(MemoryUsers, ({ all }) =>
          Ref.update(all, (users) => {
            const user = users.get(personId)!
            const memberships = [...user.memberships.filter((each) => each.spaceId !== spaceId), { spaceId, role }]
            return new Map(users).set(personId, { ...user, epoch: user.epoch + 1, memberships })
          })
        )
      )
    : pod.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE memberships SET role = ${role} WHERE user_id = ${personId} AND space_id = ${spaceId}`
          yield* sql`UPDATE users SET authz_epoch = authz_epoch + 1 WHERE id = ${personId}`
        }).pipe(asOwner)
      )

/** Creates a row as a caller; answers it as the model knows it. `workspaceId: null` is the caller's own space. */
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

/** A row of every kind in every place, filed here and there. */
export const aWorld = async (pod: TestPod, storage: Storage): Promise<World> => {
  const email = "someone@example.com"
  const maker = await pod.aPerson(email)
  const other = await pod.aPerson("another@example.com")
  const roles: ReadonlyArray<Role> = ["owner", "admin", "editor", "viewer"]
  const workspaceIds: Array<string> = []
  for (const role of roles) workspaceIds.push(await pod.aWorkspace(maker, `As ${role}`))
  const foreign = await pod.aWorkspace(other, "Foreign")
  const projectIds = ["0190a0a0-0000-7000-8003-000000000001", "0190a0a0-0000-7000-8003-000000000002"]

  const rows: Array<Row> = []
  const fill = async (caller: Caller, personId: string, places: ReadonlyArray<string | null>) => {
    for (const workspaceId of places) {
      for (const kind of worldKinds) {
        // Filed in the one project, in the other, in none, in turns that do not keep step with the kinds.
        const projectId = projectIds[(rows.length + places.indexOf(workspaceId)) % 3]
        rows.push(
          await aRow(caller, personId, { workspaceId, kind, ...(projectId === undefined ? {} : { projectId }) })
        )
      }
    }
  }
  await fill(maker, maker.id, [null, ...workspaceIds])
  await fill(other, other.id, [null, foreign])

  const agent = await maker.mutate("agents.create", { name: "Scribe" })
  for (const [at, role] of roles.entries()) await setRole(pod, storage, maker.id, workspaceIds[at], role)
  const { body } = await pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
  return {
    pod,
    person: {
      id: maker.id,
      roles: new Map<string, Role>([[maker.id, "owner"], ...workspaceIds.map((id, at) => [id, roles[at]] as const)])
    },
    session: pod.as({ "x-session-token": body.token as string }),
    workspaceIds: [...workspaceIds, foreign],
    projectIds,
    agentId: agent.body.result.data.id,
    rows
  }
}

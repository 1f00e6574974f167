/** A second person in a workspace: the membership is written into the store, and the person signs in afterwards. */
import { SqlClient } from "@effect/sql"
import { Effect, Ref } from "effect"
import type { MembershipRole } from "../../src/doors/Principal.ts"
import { MemoryUsers } from "../../src/features/people/PeopleStore.ts"
import { type Caller, ownerPassword, type Storage, type TestPod } from "./pod.ts"
import { asOwner } from "./stores.ts"

/** A person with this name and this role in the workspace. */
export const aColleague = async (
  pod: TestPod,
  storage: Storage,
  workspaceId: string,
  role: MembershipRole,
  name: string
): Promise<Caller & { readonly id: string }> => {
  const email = `${name}@example.com`
  const { id } = await pod.aPerson(email)
  await (storage.kind === "memory"
    ? pod.run(
        Effect.flatMap(MemoryUsers, ({ all }) =>
          Ref.update(all, (users) => {
            const user = users.get(id)!
            const memberships = [...user.memberships, { spaceId: workspaceId, role }]
            return new Map(users).set(id, { ...user, epoch: user.epoch + 1, memberships })
          })
        )
      )
    : pod.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`INSERT INTO memberships (user_id, space_id, role) VALUES (${id}, ${workspaceId}, ${role})`
          yield* sql`UPDATE users SET authz_epoch = authz_epoch + 1 WHERE id = ${id}`
        }).pipe(asOwner)
      ))
  const { body } = await pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
  return { ...pod.as({ "x-session-token": body.token as string }), id }
}

/** Writes memberships directly to the tables, so that a test can give any role in any space without an invitation. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect } from "effect"
import type { MembershipRole } from "../../src/doors/Principal.ts"
import { Revocations } from "../../src/doors/Revocations.ts"
import { advanceEpoch, membershipKey, membershipTable } from "../../src/features/people/UserTables.ts"
import { MemoryDatabase } from "../../src/platform/MemoryDatabase.ts"
import { type Caller, ownerPassword, type Storage, type TestPod } from "./pod.ts"
import { asOwner } from "./stores.ts"

/** Gives a person or an agent this role in a space, in place of any earlier role there. */
export const setRole = (
  pod: TestPod,
  storage: Storage,
  userId: string,
  spaceId: string,
  role: MembershipRole
): Promise<void> =>
  storage.kind === "memory"
    ? pod.run(
        Effect.gen(function* () {
          const { atomically } = yield* MemoryDatabase
          yield* atomically((rows) =>
            Effect.sync(() => {
              rows.put(membershipTable, { userId, spaceId, role, joinedAt: DateTime.unsafeMake(0) })
              advanceEpoch(rows, userId)
            })
          )
          // With SQL, each statement checks whether the person's access has changed since the pod cached it. The stores
          // in memory do not check this, so this call ends the cached access.
          ;(yield* Revocations).end(userId)
        })
      )
    : pod.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            INSERT INTO memberships ${sql.insert({ user_id: userId, space_id: spaceId, role })}
            ON CONFLICT (user_id, space_id) DO UPDATE SET role = excluded.role`
        }).pipe(asOwner)
      )

/** Ends the membership of a person or an agent in a space. */
export const takeRole = (pod: TestPod, storage: Storage, userId: string, spaceId: string): Promise<void> =>
  storage.kind === "memory"
    ? pod.run(
        Effect.gen(function* () {
          const { atomically } = yield* MemoryDatabase
          yield* atomically((rows) =>
            Effect.sync(() => {
              rows.remove(membershipTable, membershipKey({ userId, spaceId }))
              advanceEpoch(rows, userId)
            })
          )
          ;(yield* Revocations).end(userId)
        })
      )
    : pod.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`DELETE FROM memberships WHERE user_id = ${userId}::uuid AND space_id = ${spaceId}::uuid`
        }).pipe(asOwner)
      )

/** Adds a person with this name and role in the workspace. The person signs in after getting the role. */
export const aColleague = async (
  pod: TestPod,
  storage: Storage,
  workspaceId: string,
  role: MembershipRole,
  name: string
): Promise<Caller & { readonly id: string }> => {
  const email = `${name}@example.com`
  const { id } = await pod.aPerson(email)
  await setRole(pod, storage, id, workspaceId, role)
  const { body } = await pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
  return { ...pod.as({ "x-session-token": body.token as string }), id }
}

/**
 * If a credential is no longer valid (dead), every statement of every store fails before it reads or writes anything.
 * deadOperations.test.ts covers the operations that use no store.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import { createHash } from "node:crypto"
import { AuthorityLost } from "../../../src/doors/Authority.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { sampleTemplate, sampleType } from "../../../src/shared/SampleMark.ts"
import { databaseDigest } from "../../support/catalog.ts"
import { aMember, throughKey } from "../../support/people.ts"
import { asOwner, withReach, onOneEngine, type SqlStores } from "../../support/stores.ts"
import { addEntity, anEntity } from "../entities/entityCalls.ts"
import { callsOn } from "./storeCalls.ts"

const isLost = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && Cause.isDie(exit.cause) && Cause.squash(exit.cause) instanceof AuthorityLost

/**
 * Returns the access rights of the same person for calls with a session. The session row is stored in the same form in
 * which the sign-in library stores it.
 */
const throughSession = (reach: ReachShape) =>
  Effect.gen(function* () {
    const { personId } = reach.principal
    const id = uuidv7()
    const sql = yield* SqlClient.SqlClient
    const token = createHash("sha256").update(id).digest("hex")
    const later = new Date(Date.now() + 3_600_000)
    yield* sql`INSERT INTO auth_sessions ${sql.insert({ id, token, user_id: personId, expires_at: later, updated_at: new Date() })}`
    const { epoch } = yield* Effect.flatMap(PeopleStore, ({ accessOf }) => accessOf(personId))
    const session: ReachShape = {
      ...reach,
      principal: { ...reach.principal, credential: { kind: "session", id }, epoch },
      authority: { kind: "session", credentialId: id, personId, epoch }
    }
    return session
  })

type Death = (sql: SqlClient.SqlClient, reach: ReachShape) => Effect.Effect<unknown, unknown>

const personDeaths: Readonly<Record<string, Death>> = {
  "of a suspended person": (sql, { principal }) =>
    sql`UPDATE users SET suspended_at = now() WHERE id = ${principal.personId}::uuid`,
  "of a person whose access changed after the start of the call": (sql, { principal }) =>
    sql`UPDATE users SET authz_epoch = authz_epoch + 1 WHERE id = ${principal.personId}::uuid`
}
const keyDeaths: Readonly<Record<string, Death>> = {
  "that was revoked": (sql, { principal }) =>
    sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${principal.credential.id}::uuid`,
  "that expired": (sql, { principal }) =>
    sql`UPDATE api_keys SET expires_at = now() WHERE id = ${principal.credential.id}::uuid`,
  "that a suspended agent holds": (sql, { principal }) => {
    const agent = {
      id: uuidv7(),
      kind: "agent",
      person_id: principal.personId,
      name: "Resting",
      suspended_at: new Date(0)
    }
    return Effect.zipRight(
      sql`INSERT INTO users ${sql.insert(agent)}`,
      sql`UPDATE api_keys SET user_id = ${agent.id}::uuid WHERE id = ${principal.credential.id}::uuid`
    )
  },
  "that was deleted": (sql, { principal }) => sql`DELETE FROM api_keys WHERE id = ${principal.credential.id}::uuid`,
  ...personDeaths
}
const sessionDeaths: Readonly<Record<string, Death>> = {
  "that was ended": (sql, { principal }) => sql`DELETE FROM auth_sessions WHERE id = ${principal.credential.id}`,
  "that expired": (sql, { principal }) =>
    sql`UPDATE auth_sessions SET expires_at = now() WHERE id = ${principal.credential.id}`,
  ...personDeaths
}

onOneEngine("a credential that is no longer valid", (stores: Layer.Layer<SqlStores>) => {
  const credentials = [
    { noun: "key", open: throughKey, deaths: keyDeaths },
    { noun: "session", open: throughSession, deaths: sessionDeaths }
  ]
  for (const { noun, open, deaths } of credentials) {
    for (const [how, die] of Object.entries(deaths)) {
      it.effect(`the stores run no SQL statement for a ${noun} ${how}`, () =>
        Effect.gen(function* () {
          const { spaceId, reach } = yield* aMember()
          const entity = yield* addEntity(reach, anEntity({ spaceId, title: "harbour" }))
          const liveReach = yield* open(reach)
          const sql = yield* SqlClient.SqlClient
          assert.isTrue(
            Exit.isSuccess(yield* Effect.exit(withReach(liveReach)(Effect.flatMap(PeopleStore, ({ me }) => me))))
          )
          yield* asOwner(Effect.orDie(die(sql, liveReach)))
          // The workspace becomes a sample, so that a call to remove the samples would have something to remove.
          yield* asOwner(
            Effect.orDie(sql`UPDATE spaces SET template_id = ${sampleTemplate}, workspace_type = ${sampleType}
              WHERE id = ${spaceId}::uuid`)
          )
          const before = yield* databaseDigest
          for (const { name, call } of callsOn(liveReach, spaceId, entity.id)) {
            assert.isTrue(isLost(yield* Effect.exit(withReach(liveReach)(call))), name)
          }
          assert.deepStrictEqual(yield* databaseDigest, before)
        }).pipe(Effect.provide(stores))
      )
    }
  }

  it.effect(
    "if the credential of a caller is valid, no statement of a store fails with the error `AuthorityLost`",
    () =>
      Effect.gen(function* () {
        const { spaceId, reach } = yield* aMember()
        for (const open of [throughKey, throughSession]) {
          const entity = yield* addEntity(reach, anEntity({ spaceId }))
          // `keys.replace` revokes the key of the caller, and `workspaces.add` changes the access of the person. After
          // each of these calls the caller's authority is no longer valid, so the test does not include these two
          // methods.
          const last = new Set(["keys.replace", "workspaces.add"])
          const calls = callsOn(yield* open(reach), spaceId, entity.id)
          for (const { name, call } of calls.filter((each) => !last.has(each.name))) {
            const liveReach = yield* open(reach)
            assert.isFalse(isLost(yield* Effect.exit(withReach(liveReach)(call))), name)
          }
        }
      }).pipe(Effect.provide(stores))
  )
})

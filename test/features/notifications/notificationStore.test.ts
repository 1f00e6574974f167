/**
 * Runs the contract tests of the notification store on each engine. Also tests the deletion of old notifications in
 * SQL.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { NotificationStore } from "../../../src/features/notifications/NotificationStore.ts"
import { contractOf } from "../../support/contracts.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember } from "../../support/people.ts"
import { asOwner, onEachDatabase, onEachEngine, withReach } from "../../support/stores.ts"
import { aPlannedNotification } from "./notificationStore.contract.ts"

onEachEngine("stored notifications", contractOf("notifications"))

onEachDatabase("the deletion of old notifications", (stores) => {
  it.effect("only notifications that are more than 90 days old are deleted", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const { add, forgetOld, list } = yield* NotificationStore
      const [old, recent] = [aPlannedNotification(spaceId), aPlannedNotification(spaceId)]
      for (const each of [old, recent]) yield* withReach(reach)(add(each, aPassed))
      const sql = yield* SqlClient.SqlClient
      const aged = (id: string, days: number) =>
        asOwner(
          sql`UPDATE notifications SET created_at = now() - make_interval(days => ${days}) WHERE id = ${id}::uuid`
        )
      yield* aged(old.id, 91)
      yield* aged(recent.id, 89)
      yield* forgetOld
      const left = yield* withReach(reach)(list({ state: "open", limit: 10 }))
      assert.deepStrictEqual(
        left.map(({ id }) => id),
        [recent.id]
      )
    }).pipe(Effect.provide(stores))
  )
})

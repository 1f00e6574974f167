/**
 * The service of access roles. Only the person who owns a role can create and change it. The person's agents can read
 * it.
 */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import { AccessRole } from "./AccessRole.ts"

export class AccessRoles extends Context.Tag("pod/AccessRoles")<
  AccessRoles,
  RecordOperations<AccessRole> & {
    /**
     * Returns the caller's access roles with these ids. The code that lists keys calls this method to see whether the
     * access role of each key still exists.
     */
    readonly listByIds: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<AccessRole>, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const roles = yield* governedRecords(AccessRole, { isForPeople: true })
      return {
        ...roles,
        listByIds: (ids) =>
          ids.length === 0
            ? Effect.succeed([])
            : Effect.map(records.list(AccessRole, { where: { id: ids }, limit: ids.length }), ({ items }) => items)
      }
    })
  )
}

/** Access roles: their owner's alone to make and change. Agents may look. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { type Governed, governing } from "../records/GovernedRecords.ts"
import { Records } from "../records/Records.ts"
import { AccessRole } from "./AccessRole.ts"

export class AccessRoles extends Context.Tag("pod/AccessRoles")<
  AccessRoles,
  Governed<AccessRole> & {
    /** Those of the caller's roles that have one of these ids. Keys ask what became of theirs. */
    readonly among: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<AccessRole>, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const roles = yield* governing(AccessRole, { isForPeople: true })
      return {
        ...roles,
        among: (ids) =>
          ids.length === 0
            ? Effect.succeed([])
            : Effect.map(records.list(AccessRole, { where: { id: ids }, limit: ids.length }), ({ items }) => items)
      }
    })
  )
}

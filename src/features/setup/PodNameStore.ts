/** The store of the name of the pod. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { MemoryDatabase, memoryTable } from "../../platform/MemoryDatabase.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { podRoleOf } from "../people/UserTables.ts"
import { renameEvent } from "./PodName.ts"

export class PodNameStore extends Context.Tag("pod/PodNameStore")<
  PodNameStore,
  {
    /**
     * The name of the pod. Undefined if the pod has no name. Everybody is allowed to see the name, so a read checks no
     * rights.
     */
    readonly name: Effect.Effect<string | undefined>
    /**
     * Gives the pod a name, or removes the name if `name` is null. Logs the event in the caller's own space. If the
     * caller is neither the owner nor an administrator of the pod, changes nothing and returns false.
     */
    readonly rename: (name: string | null, passed: Passed) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { rows: current } = yield* MemoryDatabase
      const { write } = yield* memoryStatements
      return {
        name: Effect.map(current, (rows) => rows.find(nameTable, thePod)?.name ?? undefined),
        rename: (name, passed) =>
          write(({ append, reach: { principal }, rows }) => {
            if (podRoleOf(rows, principal.personId) === "member") return Effect.succeed(false)
            rows.put(nameTable, { name })
            append(principal.personId, renameEvent(principal.personId, name), passed)
            return Effect.succeed(true)
          })
      }
    })
  )
}

const thePod = "the pod"
const nameTable = memoryTable<{ readonly name: string | null }>("pod_name", () => thePod)

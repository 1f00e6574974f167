/** The service of artifacts. It checks the addresses of artifacts of the kind `url`. */
import { Context, Effect, Layer } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations, GovernedOptions } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import { Artifact } from "./Artifact.ts"
import { urlFault } from "./PublicUrl.ts"

const urlIn = (props: unknown): unknown =>
  typeof props === "object" && props !== null && "url" in props ? props.url : undefined

/** Returns the addresses of a `url` artifact, each with the name of its field. */
const addressesOf = ({ props, refId }: Partial<Pick<Artifact, "refId" | "props">>) =>
  [
    ["refId", refId],
    ["props.url", urlIn(props)]
  ].filter((entry): entry is [string, unknown] => entry[1] !== undefined && entry[1] !== null)

export class Artifacts extends Context.Tag("pod/Artifacts")<
  Artifacts,
  Pick<RecordOperations<Artifact>, "list" | "create" | "update">
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records

      /**
       * Checks the artifact as it is after the change. A check of only the changed fields is not enough, because an
       * edit of a proposal can set or omit any field.
       */
      const check: GovernedOptions<Artifact>["check"] = Effect.fnUntraced(function* (fields, { action, targetId }) {
        const touches = ["kind", "refId", "props"].some((name) => name in fields)
        if (action === "delete" || !touches) return
        const found = action === "create" ? undefined : yield* Effect.option(records.locate(Artifact, targetId, action))
        const artifact = { ...(found?._tag === "Some" ? found.value.record : {}), ...fields }
        if (artifact.kind !== "url") return
        // An artifact without an address is allowed, because the specification does not require an address (§4.7).
        for (const [path, address] of addressesOf(artifact)) {
          const fault = typeof address === "string" ? urlFault(address) : "The address must be a text."
          if (fault !== undefined) return yield* invalid(path, fault)
        }
      })

      return yield* governedRecords(Artifact, { check })
    })
  )
}

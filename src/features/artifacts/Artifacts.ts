/** Artifacts behind the gate, with the rule of what they lead to. */
import { Context, Effect, Layer } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { type Governed, type GovernedOptions, governing } from "../records/GovernedRecords.ts"
import { Records } from "../records/Records.ts"
import { Artifact } from "./Artifact.ts"
import { urlFault } from "./PublicUrl.ts"

const urlIn = (props: unknown): unknown =>
  typeof props === "object" && props !== null ? (props as { readonly url?: unknown }).url : undefined

/** The addresses a `url` artifact leads to, by where they stand. */
const addressesOf = ({ props, refId }: Partial<Pick<Artifact, "refId" | "props">>) =>
  [
    ["refId", refId],
    ["props.url", urlIn(props)]
  ].filter((entry): entry is [string, unknown] => entry[1] !== undefined && entry[1] !== null)

export class Artifacts extends Context.Tag("pod/Artifacts")<
  Artifacts,
  Pick<Governed<Artifact>, "list" | "create" | "update">
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records

      /** As it will stand: an edit of a proposal may name any field, and leave any out. */
      const check: GovernedOptions<Artifact>["check"] = (fields, { action, targetId }) =>
        Effect.gen(function* () {
          const touches = ["kind", "refId", "props"].some((name) => name in fields)
          if (action === "delete" || !touches) return
          const found =
            action === "create" ? undefined : yield* Effect.option(records.place(Artifact, targetId, action))
          const made = { ...(found?._tag === "Some" ? found.value.record : {}), ...fields }
          if (made.kind !== "url") return
          // One without an address leads nowhere yet: the specification asks for none (§4.7).
          for (const [path, address] of addressesOf(made)) {
            const fault = typeof address === "string" ? urlFault(address) : "Use an address, as a text."
            if (fault !== undefined) return yield* invalid(path, fault)
          }
        })

      return yield* governing(Artifact, { check })
    })
  )
}

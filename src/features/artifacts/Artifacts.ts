/** Artifacts behind the gate, with the rules of what they lead to and of whom they name. */
import { Context, Effect, Layer } from "effect"
import { type Forbidden, type Invalid, invalid } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { namesCaller } from "../people/Identity.ts"
import { People } from "../people/People.ts"
import { type Governed, type GovernedOptions, governing } from "../records/GovernedRecords.ts"
import { Records } from "../records/Records.ts"
import { agentNamed } from "../workspaces/OwnAgent.ts"
import { Artifact } from "./Artifact.ts"
import { urlFault } from "./PublicUrl.ts"

/** Whom a body names. What is kept as the maker is who the credential belongs to, whatever a body says. */
export interface Named {
  readonly userId?: string | null | undefined
  readonly agentUserId?: string | null | undefined
  readonly actorId?: string | null | undefined
}

const urlIn = (props: unknown): unknown =>
  typeof props === "object" && props !== null ? (props as { readonly url?: unknown }).url : undefined

/** The addresses a `url` artifact leads to, by where they stand. */
const addressesOf = ({ props, refId }: Partial<Pick<Artifact, "refId" | "props">>) =>
  [
    ["refId", refId],
    ["props.url", urlIn(props)]
  ].filter((entry): entry is [string, unknown] => entry[1] !== undefined && entry[1] !== null)

const noAddress = "An artifact of kind url has its address in refId or in props.url."

export class Artifacts extends Context.Tag("pod/Artifacts")<
  Artifacts,
  Pick<Governed<Artifact>, "list" | "create" | "update"> & {
    /** Fails unless a body names the caller and an agent of theirs, or nobody. */
    readonly speaksFor: (named: Named) => Effect.Effect<void, Forbidden | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const people = yield* People

      /** As it will stand: an edit of a proposal may name any field, and leave any out. */
      const check: GovernedOptions<Artifact>["check"] = (fields, { action, targetId }) =>
        Effect.gen(function* () {
          const touches = ["kind", "refId", "props"].some((name) => name in fields)
          if (action === "delete" || !touches) return
          const found =
            action === "create" ? undefined : yield* Effect.option(records.place(Artifact, targetId, action))
          const made = { ...(found?._tag === "Some" ? found.value.record : {}), ...fields }
          if (made.kind !== "url") return
          const addresses = addressesOf(made)
          if (addresses.length === 0) return yield* invalid("refId", noAddress)
          for (const [path, address] of addresses) {
            const fault = typeof address === "string" ? urlFault(address) : "Use an address, as a text."
            if (fault !== undefined) return yield* invalid(path, fault)
          }
        })

      const { create, list, update } = yield* governing(Artifact, { check })

      return {
        list,
        create,
        update,
        speaksFor: ({ actorId, agentUserId, userId }) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            yield* namesCaller(userId)
            if (agentUserId != null) yield* agentNamed(people, agentUserId)
            const isCaller = [undefined, null, "", principal.personId, principal.holder.id].includes(actorId)
            if (!isCaller && actorId != null) yield* people.ownAgent(actorId)
          })
      }
    })
  )
}

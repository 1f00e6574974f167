/**
 * Gives a pod its first owner through an endpoint. The caller needs the setup link, or must be the operator of the pod.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { ConsoleLinks } from "../../doors/ConsoleLinks.ts"
import { type Conflict, type Invalid, Unauthorized } from "../../doors/Failure.ts"
import { claimFailures, claimRefusal } from "../people/ClaimRefusals.ts"
import { People } from "../people/People.ts"
import { AlreadyClaimed } from "../people/Person.ts"
import { SetupLinkFile } from "../people/SetupLinkFile.ts"
import { PodNames } from "./PodNames.ts"
import { Provisioner } from "./Provisioner.ts"
import type { FirstAdminDraft } from "./Setup.ts"
import { SetupSettings } from "./SetupSettings.ts"

const alreadyOwned = claimRefusal(new AlreadyClaimed({ isByThisLink: false }))
const setupTokenNeeded = new Unauthorized({
  reason: "no_auth",
  why: "Send the token of the setup link in `magicToken`, or the provisioning token of the pod in `Authorization: Bearer`. The pod prints the setup link when it starts."
})
const tokenNeeded = new Unauthorized({
  reason: "no_auth",
  why: "Send the provisioning token of the pod in `Authorization: Bearer`. The operator sets this token in `POD_PROVISIONING_TOKEN`, or runs `pod setup-link` on the machine of the pod."
})

export class FirstOwner extends Context.Tag("pod/FirstOwner")<
  FirstOwner,
  {
    /**
     * Makes the first owner. If several calls come at the same time, only one succeeds. The other calls fail with
     * Conflict.
     */
    readonly claim: (draft: FirstAdminDraft) => Effect.Effect<void, Unauthorized | Conflict | Invalid>
    /** Creates a setup link. The caller must be the operator of the pod. Fails if the pod already has an owner. */
    readonly magicLink: Effect.Effect<{ readonly token: string; readonly url: string }, Unauthorized | Conflict>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { baseUrl } = yield* SetupSettings
      const links = yield* ConsoleLinks
      const people = yield* People
      const podNames = yield* PodNames
      const linkFile = yield* SetupLinkFile
      const { isOperator } = yield* Provisioner
      const hasNoOwner = Effect.flatMap(people.hasOwner, (has) => (has ? Effect.fail(alreadyOwned) : Effect.void))

      return {
        claim: Effect.fnUntraced(function* ({ email, magicToken, name, password, podName }) {
          const owner = { email, name, password: Redacted.make(password) }
          if (magicToken !== undefined) yield* people.claimByLink(magicToken, owner)
          else {
            yield* hasNoOwner
            if (!(yield* isOperator)) return yield* setupTokenNeeded
            yield* people.claim(owner)
          }
          const ownerId = yield* people.ownerId
          if (podName !== undefined && ownerId !== undefined) yield* podNames.nameFor(ownerId, podName)
        }, Effect.catchTags(claimFailures)),
        magicLink: Effect.gen(function* () {
          if (!(yield* isOperator)) return yield* tokenNeeded
          yield* hasNoOwner
          const token = Redacted.value(yield* people.setupLink)
          const url = `${baseUrl}${links.setup(token)}`
          yield* linkFile.write(url)
          return { token, url }
        })
      }
    })
  )
}

/**
 * An answer rests on a credential that lives: a statement of the call found so, or it is looked up before anything is
 * said. So what asks no store at all, such as reading a sentence, answers a dead credential as everything else does.
 */
import { Effect } from "effect"
import { AuthorityLost, isConfirmed } from "./Authority.ts"
import type { Failure, Unauthorized } from "./Failure.ts"
import type { Gatekeeper } from "./Gatekeeper.ts"
import type { Operation } from "./Operation.ts"
import type { Presented, Principal } from "./Principal.ts"
import type { Authority } from "./Reach.ts"

/** What is said whoever asks: nothing of the pod's own, and nothing that needs a living credential. */
const saysNothing: ReadonlySet<Failure["_tag"]> = new Set(["Unauthorized", "TooMany", "Unavailable", "Broken"])

export interface Answering {
  readonly operation: Pick<Operation, "kind">
  readonly call: { readonly presented: Presented }
  readonly principal: Principal
  /** `authority` is known once the door let the caller in. */
  readonly progress: { readonly authority?: Authority | undefined }
}

/** Fails when the credential died. Costs nothing where a statement confirmed it. */
export const confirmed = (
  { lookUp }: typeof Gatekeeper.Service,
  { call, operation, principal, progress: { authority } }: Answering
): Effect.Effect<void, Unauthorized> =>
  authority !== undefined && isConfirmed(authority)
    ? Effect.void
    : Effect.flatMap(lookUp(call.presented), ({ epoch }) =>
        // What a person may do moved on meanwhile: asked again, a query answers by what it is now.
        epoch === principal.epoch || operation.kind === "mutation"
          ? Effect.void
          : Effect.die(new AuthorityLost({ credentialId: principal.credential.id }))
      )

/** A refusal is an answer too: it tells a dead credential nothing but that. */
export const confirmedRefusal =
  (gatekeeper: typeof Gatekeeper.Service, answering: Answering) =>
  (failure: Failure): Effect.Effect<never, Failure> =>
    saysNothing.has(failure._tag)
      ? Effect.fail(failure)
      : Effect.zipRight(confirmed(gatekeeper, answering), Effect.fail(failure))

/**
 * Makes sure that a credential is alive (neither revoked nor expired) before the call is answered. Either a statement
 * of the call has already found the credential alive, or the pod looks the credential up now. So a dead credential gets
 * 401 even from an operation without a store, for example an operation that parses a rule.
 */
import { Effect } from "effect"
import { AuthorityLost, isConfirmed } from "./Authority.ts"
import type { Failure, Unauthorized } from "./Failure.ts"
import type { Gatekeeper } from "./Gatekeeper.ts"
import type { Operation } from "./Operation.ts"
import type { PresentedCredential, Principal } from "./Principal.ts"
import type { Authority } from "./Reach.ts"

/** Failures that reveal nothing about the pod's data. The pod can send them before it has confirmed the credential. */
const revealsNoData: ReadonlySet<Failure["_tag"]> = new Set(["Unauthorized", "TooMany", "Unavailable", "Broken"])

export interface CallInProgress {
  readonly operation: Pick<Operation, "kind">
  readonly call: { readonly presented: PresentedCredential }
  readonly principal: Principal
  /** `authority` is undefined until the door has admitted the caller. */
  readonly progress: { readonly authority?: Authority | undefined; readonly isReplay?: boolean | undefined }
}

/**
 * Looks the credential up, unless a statement of the call has already found it alive. `onStale` runs if the person's
 * access changed during the call.
 */
const confirm = (
  { lookUp }: typeof Gatekeeper.Service,
  answering: CallInProgress,
  onStale: (answering: CallInProgress) => Effect.Effect<void>
): Effect.Effect<void, Unauthorized> => {
  const { call, principal, progress } = answering
  return progress.authority !== undefined && isConfirmed(progress.authority)
    ? Effect.void
    : Effect.flatMap(lookUp(call.presented), ({ epoch }) =>
        epoch === principal.epoch ? Effect.void : onStale(answering)
      )
}

const keepAnswer = () => Effect.void

const runAgain = ({ principal }: CallInProgress) =>
  Effect.die(new AuthorityLost({ credentialId: principal.credential.id }))

/**
 * Checks that the credential of the call is alive, and fails if it is dead (revoked or expired). The check costs
 * nothing if a statement has already found the credential alive. If the person's access changed during a query, the
 * query runs again with the new access. A mutation keeps its answer, because its effect has already happened. But a
 * stored answer of an earlier request has no effect, so it is judged again with the new access.
 */
export const confirmCredential = (
  gatekeeper: typeof Gatekeeper.Service,
  answering: CallInProgress
): Effect.Effect<void, Unauthorized> =>
  confirm(
    gatekeeper,
    answering,
    answering.operation.kind === "mutation" && answering.progress.isReplay !== true ? keepAnswer : runAgain
  )

/**
 * Confirms the credential before a refusal is sent. A dead credential (revoked or expired) gets 401, and its holder
 * learns nothing about the refusal. If the person's access has changed, the call runs again. This includes mutations,
 * because a refused call has no effect.
 */
export const confirmBeforeRefusal =
  (gatekeeper: typeof Gatekeeper.Service, answering: CallInProgress) =>
  (failure: Failure): Effect.Effect<never, Failure> =>
    revealsNoData.has(failure._tag)
      ? Effect.fail(failure)
      : Effect.zipRight(confirm(gatekeeper, answering, runAgain), Effect.fail(failure))

/** The gate that every write passes: may this credential do this to this object, and if not, which rung says so. */
import { Context, Effect, Layer } from "effect"
import type { Action, Subject } from "../../doors/Door.ts"
import { Forbidden } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { Reach } from "../../doors/Reach.ts"
import { GrantMatcher, type GrantObject, roleMay } from "../grants/GrantMatcher.ts"

/** One write, as the gate sees it. */
export interface GatedWrite {
  readonly subject: Subject
  readonly kind: string | null
  readonly action: Action
  readonly object: GrantObject
}

export type Verdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "deny"; readonly rung: Rung; readonly why: string }

/** The rungs, in the order they are tried. The first that objects decides. */
export type Rung = "confinement" | "membership" | "grant" | "capabilities"

/**
 * Whether an agent's capabilities allow a write. They are permission keys like those of a grant and are matched alike;
 * an agent with no capability ticked only reads (specification §2.3).
 */
const isCapable = (matcher: typeof GrantMatcher.Service, { holder }: Principal, write: GatedWrite): boolean =>
  holder.kind !== "agent" ||
  matcher.covers({ permissions: holder.capabilities, workspaceIds: null, projectIds: null, entityIds: null }, write)

/** The decision, pure. Whoever may not write in a space learns nothing about whether it exists. */
export const decide = (matcher: typeof GrantMatcher.Service, principal: Principal, write: GatedWrite): Verdict => {
  const deny = (rung: Rung, why: string): Verdict => ({ verdict: "deny", rung, why })
  const { object } = write
  if (principal.workspaceId !== null && principal.workspaceId !== object.spaceId) {
    return deny("confinement", "This key is confined to another workspace.")
  }
  const membership = principal.memberships.find(({ spaceId }) => spaceId === object.spaceId)
  if (membership === undefined || !roleMay(membership.role, write.action)) {
    return deny("membership", "You may not do this in that workspace.")
  }
  if (!matcher.covers(principal.grant, write) || !matcher.allowsObject(principal.grant, object)) {
    return deny("grant", "The grant does not cover this write.")
  }
  if (!isCapable(matcher, principal, write))
    return deny("capabilities", "This agent has not been given the capability to write.")
  return { verdict: "allow" }
}

/** The permission a write needs, as it would stand in a grant. */
export const permissionFor = ({ subject, kind, action }: GatedWrite): string =>
  kind === null ? `${subject}.${action}` : `${subject}.${kind}.${action}`

const codes: Record<Rung, string> = {
  confinement: "WORKSPACE_FORBIDDEN",
  membership: "WORKSPACE_FORBIDDEN",
  grant: "GRANT_DENIED",
  capabilities: "CAPABILITY_MISSING"
}

export class GovernanceGate extends Context.Tag("pod/GovernanceGate")<
  GovernanceGate,
  {
    /** Lets a write through or refuses it. A refused write is never queued (specification §5.2). */
    readonly pass: (write: GatedWrite) => Effect.Effect<void, Forbidden, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(GrantMatcher, (matcher) => ({
      pass: (write) =>
        Effect.flatMap(Reach, ({ principal }) => {
          const decision = decide(matcher, principal, write)
          return decision.verdict === "allow"
            ? Effect.void
            : Effect.fail(
                new Forbidden({
                  code: codes[decision.rung],
                  why: decision.why,
                  required: [permissionFor(write)],
                  granted:
                    decision.rung === "capabilities"
                      ? principal.holder.capabilities
                      : (principal.grant?.permissions ?? ["*"])
                })
              )
        })
    }))
  )
  /** Being a pure decision, it is its own twin. */
  static readonly layerMemory = this.layer
}

/**
 * The service that changes existing memberships. Owners and admins of a workspace change the role of a member, or
 * remove the member. Every member is allowed to leave.
 */
import { Context, Effect, Layer } from "effect"
import { Conflict, Forbidden, type Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { endCallsBeforeAnswer, Revocations } from "../../doors/Revocations.ts"
import type { MembershipRole } from "../../doors/Principal.ts"
import { Database } from "../../platform/Database.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { quotaKeeper } from "../gate/Quotas.ts"
import { objectIn } from "../gate/Write.ts"
import { isLeaving, type MembershipFault } from "./Membership.ts"
import { MemberStore } from "./MemberStore.ts"
import { requestedSpace } from "./WorkspaceAccess.ts"

export interface MembershipOrder {
  readonly workspaceId: string
  readonly userId: string
  /** The new role. Null removes the member. */
  readonly role: MembershipRole | null
}

const refusalOf = (fault: MembershipFault): Effect.Effect<void, Forbidden | Conflict | Invalid> => {
  switch (fault) {
    case "same":
      return Effect.void
    case "ownersOnly":
      return Effect.fail(
        new Forbidden({
          code: "WORKSPACE_FORBIDDEN",
          why: "Only an owner of the workspace can add an owner, change an owner's role or remove an owner.",
          required: ["owner"],
          granted: ["admin"]
        })
      )
    case "agentOwner":
      return Effect.fail(
        invalid("role", "An agent cannot own a workspace. Send the role `viewer`, `editor` or `admin`.")
      )
    case "lastOwner":
      return Effect.fail(
        new Conflict({
          code: "LAST_OWNER",
          why: "This is the last owner of the workspace. Make another person an owner first."
        })
      )
  }
}

export class Memberships extends Context.Tag("pod/Memberships")<
  Memberships,
  {
    /**
     * Changes or ends a membership. If the member loses access, the method waits until no process of the pod can commit
     * anything with this access. If the member already has the role, the method changes nothing.
     */
    readonly change: (
      order: MembershipOrder
    ) => Effect.Effect<void, Forbidden | Conflict | Invalid | NotFound | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* MemberStore
      const gate = yield* GovernanceGate
      const keeper = yield* quotaKeeper
      const endAfterwards = endCallsBeforeAnswer(yield* Database, yield* Revocations)
      const traits = yield* (yield* Changers).declare("membership", {
        subject: "member",
        kind: null,
        isForPeople: true,
        actions: ["update", "delete"]
      })

      return {
        change: Effect.fnUntraced(function* ({ role, userId, workspaceId }) {
          const { principal } = yield* Reach
          const spaceId = yield* requestedSpace(workspaceId)
          if (spaceId === principal.personId) {
            return yield* invalid("workspaceId", "Send the id of a workspace. A personal space has no other members.")
          }
          const action = role === null ? "delete" : "update"
          const passed = yield* gate.pass({
            ...traits,
            action,
            object: objectIn(principal.personId, spaceId, null),
            isLeaving: isLeaving(principal, { userId, role })
          })
          const isOwner = principal.memberships.some((own) => own.spaceId === spaceId && own.role === "owner")
          const data = { userId, workspaceId: spaceId, role, after: { role } }
          const event = { type: `member.${action}`, subjectId: userId, data }
          const written = store.change({ userId, spaceId, role, isOwner }, event, passed)
          // Each owner of a workspace has a quota of workspaces, so the new owner must have room for this one.
          const outcome = yield* role === "owner"
            ? keeper.within("workspace", written, { ownerId: userId, isAdded: (found) => found?.fault === null })
            : written
          if (outcome === undefined) return yield* new NotFound({ why: "The workspace has no member with this id." })
          if (outcome.fault !== null) return yield* refusalOf(outcome.fault)
          yield* endAfterwards(userId)
        })
      }
    })
  )
}

/** Sets up agents and services for the person who holds the credential of the call. */
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { Forbidden, NotFound, type WriteRefusal } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { everyPermission, type GrantRequest } from "../grants/Grant.ts"
import { lifeDaysDefault } from "../keys/MintRequest.ts"
import { Keys } from "../keys/Keys.ts"
import { People } from "../people/People.ts"
import { Members } from "../workspaces/Members.ts"
import type { ProvisionerName } from "./Provisioner.ts"
import type { AgentSetup, AgentSetupDraft, ServiceSetup, ServiceSetupDraft } from "./Setup.ts"
import { shortenText } from "../../platform/StoredText.ts"

const agentScopes = ["hub-protocol.read", "hub-protocol.write", "mcp.read", "mcp.write", "realtime:observe"]

/**
 * The capabilities of a new agent. The agent is allowed to request every write, but by default a person must approve
 * each write.
 */
const everyCapability = [everyPermission]

/**
 * The grant of a new key. This grant has no limits. The new key still has no more rights than the credential of the
 * call, because only credentials without limits can set up agents or services. A key for a service works in only one
 * workspace.
 */
const fullGrantRequest: GrantRequest = { permissions: [everyPermission] }

const replacedReason = "the agent was set up again"

const noWorkspace = new NotFound({ why: "The person that the agent acts for has no workspace with this id." })

/**
 * Returns the workspace that a setup names. Fails with NotFound if the caller's person is not a member of this
 * workspace.
 */
const workspaceOf = (workspaceId: string) =>
  Effect.flatMap(Reach, ({ principal }) =>
    workspaceId !== principal.personId && principal.memberships.some(({ spaceId }) => spaceId === workspaceId)
      ? Effect.succeed(workspaceId)
      : Effect.fail(noWorkspace)
  )

/**
 * Returns the time at which a new key expires: after `days` days, or never if `days` is null. But if the call is made
 * with a key, the new key expires no later than the key of the call. A session and the provisioning token set no such
 * limit.
 */
const expiryIn = (days: number | null) =>
  Effect.gen(function* () {
    const { principal } = yield* Reach
    const requestedEnd = days === null ? null : DateTime.add(yield* DateTime.now, { days })
    if (principal.credential.kind !== "key" || principal.expiresAt === null) return requestedEnd
    const latest = DateTime.unsafeFromDate(principal.expiresAt)
    return requestedEnd === null ? latest : DateTime.min(requestedEnd, latest)
  })

export class AgentSetups extends Context.Tag("pod/AgentSetups")<
  AgentSetups,
  {
    /**
     * Sets up the agent of this type, with a new key. The agent belongs to the caller's person. A person has one agent
     * of each type. Earlier keys of the agent are revoked. If the call is made with a key, the new key expires no later
     * than the key of the call. The agent can read what its person can read, and a person approves its writes.
     */
    readonly agent: (draft: AgentSetupDraft, by: ProvisionerName) => Effect.Effect<AgentSetup, WriteRefusal, Reach>
    /**
     * Creates a key for a service in one workspace. The key belongs to the caller's person, who must be the owner of
     * the pod. If the call is made with a key, the new key expires no later than the key of the call.
     */
    readonly service: (
      draft: ServiceSetupDraft,
      by: ProvisionerName
    ) => Effect.Effect<ServiceSetup, WriteRefusal, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const keys = yield* Keys
      const members = yield* Members
      const people = yield* People
      const transaction = yield* Transaction

      /**
       * Returns the person's agent of this type. Creates the agent if there is none. Does not change the name and
       * capabilities of an existing agent, because the person possibly changed them.
       */
      const agentOf = Effect.fnUntraced(function* ({ agentType, definition }: AgentSetupDraft) {
        const known = (yield* people.agents).find((agent) => agent.agentType === agentType)
        if (known === undefined) {
          const name = definition?.name ?? agentType
          const capabilities = definition?.capabilities ?? everyCapability
          return { agent: yield* people.createAgent({ name, capabilities }, agentType), isNew: true }
        }
        if (known.isSuspended) {
          return yield* new Forbidden({
            code: "AGENT_FORBIDDEN",
            why: "The person that this agent acts for has suspended the agent.",
            required: [],
            granted: []
          })
        }
        return { agent: known, isNew: false }
      })

      const agent = Effect.fnUntraced(function* (draft: AgentSetupDraft, by: ProvisionerName) {
        const { principal } = yield* Reach
        const workspaceId = draft.workspaceId === undefined ? null : yield* workspaceOf(draft.workspaceId)
        const { agent, isNew } = yield* agentOf(draft)
        if (workspaceId !== null) yield* members.enroll({ agentUserId: agent.id, workspaceId, role: "editor" })
        const revokedKeys = yield* keys.revokeOfHolder(agent.id, replacedReason)
        const { key, secret } = yield* keys.mint({
          keyName: shortenText(`${agent.name}, set up by ${by}`, 100),
          scopes: agentScopes,
          grant: fullGrantRequest,
          toolProfile: null,
          expiresAt: yield* expiryIn(lifeDaysDefault),
          agentId: agent.id,
          hubId: undefined,
          workspaceId: undefined
        })
        return {
          agentUserId: agent.id,
          workspaceId,
          hubApiKey: Redacted.value(secret),
          keyId: key.id,
          registration: {
            agentType: draft.agentType,
            name: agent.name,
            ownerUserId: principal.personId,
            isNew,
            revokedKeys,
            expiresAt: key.expiresAt
          }
        }
      })

      const service = Effect.fnUntraced(function* (draft: ServiceSetupDraft, by: ProvisionerName) {
        const workspaceId = yield* workspaceOf(draft.workspaceId)
        const days = draft.expiresInDays === undefined ? lifeDaysDefault : draft.expiresInDays
        const { key, secret } = yield* keys.mint({
          keyName: shortenText(`${draft.name}, set up by ${by}`, 100),
          scopes: [...new Set(draft.scope)],
          grant: draft.grant ?? fullGrantRequest,
          toolProfile: null,
          expiresAt: yield* expiryIn(days),
          agentId: undefined,
          hubId: "setup",
          workspaceId
        })
        return {
          workspaceId,
          hubApiKey: Redacted.value(secret),
          keyId: key.id,
          scope: key.scopes,
          expiresAt: key.expiresAt
        }
      })

      return {
        agent: (draft, by) =>
          Effect.flatMap(Reach, ({ principal }) =>
            // Setups of one person run one after the other. If two calls set up the same agent, the later call revokes
            // the key from the earlier call.
            transaction.exclusively(`setup of agents of ${principal.personId}`, agent(draft, by))
          ).pipe(Effect.catchTag("Proposed", Effect.die)),
        // The caller is a person, whose writes need no approval. So `Proposed` cannot occur.
        service: (draft, by) => transaction.atomically(service(draft, by)).pipe(Effect.catchTag("Proposed", Effect.die))
      }
    })
  )
}

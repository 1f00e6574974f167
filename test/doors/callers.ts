/**
 * The callers with which the tests call the operations. An independent model of the access rules computes the expected
 * answer from the description of each caller.
 */
import { DateTime, Effect, Redacted } from "effect"
import { noClient, Reach, systemReach } from "../../src/doors/Reach.ts"
import { KeySettings } from "../../src/features/keys/Keys.ts"
import { hashSecret, lastFourOf, mintSecret } from "../../src/features/keys/KeySecret.ts"
import { KeyStore } from "../../src/features/keys/KeyStore.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { type Caller, everyScope, ownerPassword, type TestPod } from "../support/pod.ts"
import type { Credential, ModelGrant, ModelKey } from "./model.ts"
import { aPassed } from "../support/passed.ts"

export interface TestCaller {
  readonly name: string
  readonly caller: Caller
  readonly credential: Credential
  /** Signs the same person in again. A test needs this for an operation that ends the session of its own call. */
  readonly again?: () => Promise<Caller>
}

export const aGrant = (given: Partial<ModelGrant> = {}): ModelGrant => ({
  permissions: ["*"],
  workspaceIds: null,
  projectIds: null,
  entityIds: null,
  ...given
})

export interface KeyDescription {
  readonly scopes?: ReadonlyArray<string>
  readonly grant?: ModelGrant | null
  readonly workspaceId?: string | null
  /** The agent that holds the key. */
  readonly agentId?: string
  readonly capabilities?: ReadonlyArray<string>
  readonly expiresAt?: DateTime.Utc
}

/**
 * Stores a key directly, without the checks for a new key. Stored keys can have an empty list of permissions, retired
 * scopes, a workspace that the person has left, or a past expiry. Operations must also decide correctly about calls
 * with such keys.
 */
export const aStoredKey = async (pod: TestPod, personId: string, description: KeyDescription = {}) => {
  const { scopes = everyScope, grant = aGrant(), workspaceId = null, agentId } = description
  const secret = mintSecret("svc_user_")
  const key = {
    id: uuidv7(),
    holderId: agentId ?? personId,
    personId,
    keyName: "stored",
    keyPrefix: "svc_user_",
    lastFour: lastFourOf(secret),
    keyType: agentId === undefined ? ("user_pat" as const) : ("hub_inbound" as const),
    hubId: null,
    scopes,
    grant: grant === null ? null : { ...grant, label: null },
    workspaceId,
    toolProfile: null,
    rotatedFromId: null,
    isRotated: false,
    role: null,
    expiresAt: description.expiresAt ?? null,
    lastUsedAt: null,
    usageCount: 0,
    createdAt: DateTime.unsafeNow(),
    revokedAt: null,
    revokedReason: null
  }
  const origin = { operation: "test", requestId: uuidv7(), client: noClient }
  const system = systemReach("a test stores a key", personId, [personId], origin)
  const holder = { id: personId, kind: "person" as const, capabilities: [] }
  const reach = { ...system, principal: { ...system.principal, holder } }
  await pod.run(
    Effect.gen(function* () {
      const store = yield* KeyStore
      const { pepper } = yield* KeySettings
      yield* store.add({ key, hash: hashSecret(pepper, Redacted.value(secret)), secretMark: "test" }, aPassed)
    }).pipe(Effect.provideService(Reach, reach))
  )
  const credential: ModelKey = {
    kind: "key",
    scopes,
    grant,
    workspaceId,
    capabilities: agentId === undefined ? null : (description.capabilities ?? [])
  }
  return { id: key.id, secret: Redacted.value(secret), credential }
}

/** The places and people that the descriptions of the callers refer to. */
export interface Scene {
  readonly pod: TestPod
  readonly workspaceId: string
  readonly foreignWorkspaceId: string
  readonly stranger: Caller & { readonly id: string }
  readonly agentId: string
}

export const aScene = async (pod: TestPod): Promise<Scene> => {
  const stranger = await pod.aPerson("somebody@example.com")
  const agent = await pod.owner.mutate("agents.create", { name: "Scribe" })
  return {
    pod,
    workspaceId: await pod.aWorkspace(pod.owner, "Ours"),
    foreignWorkspaceId: await pod.aWorkspace(stranger, "Theirs"),
    stranger,
    agentId: agent.body.result.data.id
  }
}

const signInAgain = (pod: TestPod, email: string) => async (): Promise<Caller> => {
  const { body } = await pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
  return pod.as({ "x-session-token": body.token as string })
}

/** Replaces the last character of a secret by another allowed character, so that the checksum is wrong. */
const mistyped = (secret: string) => secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0")

/** Callers who are refused everywhere: without a credential, or with an invalid credential. */
export const invalidCallers = async ({ pod }: Scene): Promise<ReadonlyArray<TestCaller>> => {
  const revoked = await pod.aKey(pod.owner)
  const living = await aStoredKey(pod, pod.ownerId)
  const expired = await aStoredKey(pod, pod.ownerId, { expiresAt: DateTime.unsafeMake("2001-01-01T00:00:00Z") })
  // The key is used once before the pod revokes it. So the cache of the pod contains the key, and the pod must remove
  // it from there.
  await revoked.send("GET", "/api/hub/users/me")
  await pod.owner.mutate("apiKeys.revoke", { keyId: revoked.id })
  const bearer = (
    name: string,
    kind: "malformed" | "mistyped" | "unknown" | "expired" | "revoked",
    secret: string
  ) => ({
    name,
    caller: pod.as({ authorization: `Bearer ${secret}` }),
    credential: { kind }
  })
  return [
    { name: "nobody", caller: pod.as({}), credential: { kind: "none" } },
    {
      name: "a basic sign-in",
      caller: pod.as({ authorization: "Basic b3duZXI6cGFzcw==" }),
      credential: { kind: "none" }
    },
    bearer("a bearer of another service", "malformed", "ghp_0123456789abcdef"),
    bearer("a bare prefix", "malformed", "svc_user_"),
    bearer("a prefix in capitals", "malformed", "SVC_USER_0123456789"),
    bearer("a mistyped key", "mistyped", mistyped(living.secret)),
    bearer("a key that was never stored", "unknown", Redacted.value(mintSecret("svc_user_"))),
    bearer("a key of an older form that was never stored", "unknown", `svc_hub_live_${"a1".repeat(32)}`),
    bearer("an expired key", "expired", expired.secret),
    bearer("a revoked key", "revoked", revoked.secret),
    {
      name: "a revoked key beside a living session",
      caller: pod.as({ ...pod.owner.headers, authorization: `Bearer ${revoked.secret}` }),
      credential: { kind: "revoked" }
    }
  ]
}

const uuid = uuidv7()

/** Returns the keys that the tests try. Each key has a short text that describes it. */
export const described = ({
  workspaceId,
  foreignWorkspaceId,
  agentId
}: Scene): Readonly<Record<string, KeyDescription>> => ({
  "a key for everything": {},
  "a key from before grants": { grant: null },
  "a key from before grants that only reads": { grant: null, scopes: ["hub-protocol.read", "mcp.read"] },
  "a key that may only read the Hub": { scopes: ["hub-protocol.read"] },
  "a key that may only write the Hub": { scopes: ["hub-protocol.write"] },
  "an admin key": { scopes: ["hub-protocol.admin"] },
  "a key with the data aliases": { scopes: ["data.read", "data.write"] },
  "a key for MCP alone": { scopes: ["mcp.read", "mcp.write"] },
  "a key for chat alone": { scopes: ["chat.stream"] },
  "a key with retired scopes": { scopes: ["preferences", "entities", "webhook:manage"] },
  "a key whose scope is only spelled alike": { scopes: ["hub-protocol", "HUB-PROTOCOL.READ", "hub-protocol.*", "*"] },
  "a key whose grant lists nothing": { grant: aGrant({ permissions: [] }) },
  "a key whose permissions cannot be read": {
    grant: aGrant({ permissions: ["*.read", "Entity", "entity..read", ""] })
  },
  "a key that reads knowledge": { grant: aGrant({ permissions: ["entity.knowledge.read"] }) },
  "a key that reads every entity": { grant: aGrant({ permissions: ["entity.read"] }) },
  "a key that only creates notes": { grant: aGrant({ permissions: ["entity.note.create"] }) },
  "a key for entities": { grant: aGrant({ permissions: ["entity"] }) },
  "a key that appends events": { grant: aGrant({ permissions: ["event.create"] }) },
  "a key that makes workspaces": { grant: aGrant({ permissions: ["workspace"] }) },
  "a key that names everything but *": {
    grant: aGrant({ permissions: ["entity", "document", "relation", "event", "workspace", "memory", "profile"] })
  },
  "a key for everything in one workspace": { grant: aGrant({ workspaceIds: [workspaceId] }) },
  "a key for everything in a workspace of somebody else": { grant: aGrant({ workspaceIds: [foreignWorkspaceId] }) },
  "a key for everything in no workspace": { grant: aGrant({ workspaceIds: [] }) },
  "a key for everything on one object": { grant: aGrant({ entityIds: [uuid] }) },
  "a key for everything in one project": { grant: aGrant({ projectIds: [uuid] }) },
  "a key made for one workspace": { workspaceId },
  "a key from before grants made for one workspace": { grant: null, workspaceId },
  "a key made for a workspace of somebody else": { workspaceId: foreignWorkspaceId },
  "an agent's key for everything": { agentId },
  "an agent's key for knowledge": { agentId, grant: aGrant({ permissions: ["entity.knowledge"] }) }
})

/**
 * Callers with a valid credential: sessions, keys with each sort of grant and scope, and requests with two credentials.
 */
export const validCallers = async (scene: Scene, only?: ReadonlySet<string>): Promise<ReadonlyArray<TestCaller>> => {
  const { pod, stranger } = scene
  const keys: Array<TestCaller> = []
  for (const [name, description] of Object.entries(described(scene))) {
    if (only !== undefined && !only.has(name)) continue
    const { secret, credential } = await aStoredKey(pod, pod.ownerId, description)
    keys.push({ name, caller: pod.as({ authorization: `Bearer ${secret}` }), credential })
  }
  const narrow = await aStoredKey(pod, pod.ownerId, { grant: aGrant({ permissions: ["entity.knowledge.read"] }) })
  const ownSession = signInAgain(pod, "owner@example.com")
  const session = { kind: "session" } as const
  return [
    ...keys,
    { name: "the owner's session", caller: await ownSession(), credential: session, again: ownSession },
    {
      name: "another person's session",
      caller: stranger,
      credential: session,
      again: signInAgain(pod, "somebody@example.com")
    },
    ...(pod.operator === undefined
      ? []
      : [
          {
            name: "the operator of the data directory",
            caller: pod.operator,
            credential: { kind: "operator" } as const
          }
        ]),
    {
      name: "a narrow key beside another person's session",
      caller: pod.as({ ...stranger.headers, authorization: `Bearer ${narrow.secret}` }),
      credential: narrow.credential
    }
  ]
}

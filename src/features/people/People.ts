/**
 * The service of people. It says who the caller is, stores the agents of the caller's person, and gives the pod its
 * first owner.
 */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { Forbidden, invalid, type Invalid } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { endCallsBeforeAnswer, Revocations, waitBeforeAnswer } from "../../doors/Revocations.ts"
import { Database } from "../../platform/Database.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { findEmailAddress, SignIn } from "../../platform/SignIn.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import { quotaKeeper } from "../gate/Quotas.ts"
import {
  type Agent,
  type AgentChange,
  type AgentDraft,
  AlreadyClaimed,
  type EmailTaken,
  type Me,
  type NewPerson,
  SetupLinkInvalid,
  setupLinkMinutes
} from "./Person.ts"
import { PeopleStore } from "./PeopleStore.ts"
import { SetupLinkFile } from "./SetupLinkFile.ts"

/** The details of a new person, who can be the owner of the pod or somebody else. */
export interface OwnerClaim {
  readonly email: string
  readonly password: Redacted.Redacted
  readonly name: string
}

/** The details of a new owner, with the hash of the password instead of the password. */
export interface HashedOwnerClaim extends Omit<OwnerClaim, "password"> {
  readonly passwordHash: Redacted.Redacted
}

const foreignAgent = new Forbidden({
  code: "AGENT_FORBIDDEN",
  why: "The agent is not one of your agents.",
  required: [],
  granted: []
})

export class People extends Context.Tag("pod/People")<
  People,
  {
    /**
     * Returns the access of the person or agent with this id, with everything that limits the credentials (keys and
     * sessions). The pod does not know the caller yet, so this call checks no rights.
     */
    readonly accessOf: PeopleStore["Type"]["accessOf"]
    readonly me: Effect.Effect<Me, never, Reach>
    readonly agents: Effect.Effect<ReadonlyArray<Agent>, never, Reach>
    /** Adds an agent of the caller's person. `agentType` is present only if a program sets up the agent. */
    readonly createAgent: (draft: AgentDraft, agentType?: string) => Effect.Effect<Agent, Forbidden | Proposed, Reach>
    /**
     * Changes an agent. After this method has returned, every process of the pod uses the new settings for each write
     * of the agent. If the change suspends the agent, all running calls with the agent's keys have also ended.
     */
    readonly updateAgent: (
      agentId: string,
      change: Omit<AgentChange, "agentId">
    ) => Effect.Effect<Agent, Forbidden | Invalid | Proposed, Reach>
    /**
     * Finds an agent of the caller's person. Fails with Forbidden if the person has no agent with this id. The failure
     * does not show whether another person has such an agent.
     */
    readonly ownAgent: (agentId: string) => Effect.Effect<Agent, Forbidden, Reach>
    /** Fails with Forbidden unless each of these ids belongs to an agent of the caller's person. */
    readonly checkOwnAgents: (agentIds: ReadonlyArray<string>) => Effect.Effect<void, Forbidden, Reach>
    /**
     * Finds an agent by an id from the input of a call. Fails with Invalid if the id is the id of the caller's person,
     * and not the id of an agent.
     */
    readonly agentGiven: (agentId: string) => Effect.Effect<Agent, Forbidden | Invalid, Reach>
    readonly hasOwner: Effect.Effect<boolean>
    readonly ownerId: PeopleStore["Type"]["ownerId"]
    /**
     * Makes a person the first owner of the pod without a setup link. The caller of this method must first check that
     * this is allowed.
     */
    readonly claim: (
      owner: OwnerClaim | HashedOwnerClaim
    ) => Effect.Effect<void, AlreadyClaimed | SetupLinkInvalid | Invalid>
    /** Makes the person with a valid setup link the first owner of the pod. */
    readonly claimByLink: (
      token: string,
      owner: OwnerClaim
    ) => Effect.Effect<void, AlreadyClaimed | SetupLinkInvalid | Invalid>
    /**
     * Checks a setup link without using the link. Fails in the same way as `claimByLink` if nobody can become the owner
     * with this link now.
     */
    readonly checkLink: (token: string) => Effect.Effect<void, AlreadyClaimed | SetupLinkInvalid>
    /** Adds another person, who is a member only of their own space. */
    readonly addPerson: (person: OwnerClaim) => Effect.Effect<string, Invalid | EmailTaken>
    /** Checks the details of a new person and hashes the password. The hash function is slow on purpose. */
    readonly newPerson: (person: OwnerClaim) => Effect.Effect<NewPerson, Invalid>
    /**
     * Stores a person that `newPerson` made. This method and `newPerson` are separate, so that no transaction waits for
     * the slow hashing of the password.
     */
    readonly keepPerson: (person: NewPerson) => Effect.Effect<void, EmailTaken>
    /**
     * Creates a token with which its holder can become the owner of the pod. The token has 256 bits. It is valid for 30
     * minutes and for one use. The pod stores only the hash of the token.
     */
    readonly setupLink: Effect.Effect<Redacted.Redacted>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* PeopleStore
      const { within } = yield* quotaKeeper
      const signIn = yield* SignIn
      const linkFile = yield* SetupLinkFile
      const database = yield* Database
      const endAfterwards = endCallsBeforeAnswer(database, yield* Revocations)
      const hashOf = (token: string) => createHash("sha256").update(token).digest()

      const person = Effect.fnUntraced(function* (claim: OwnerClaim | HashedOwnerClaim) {
        const email = findEmailAddress(claim.email)
        if (Option.isNone(email))
          return yield* invalid(
            "email",
            "This text is not an e-mail address. Send an address such as `ana@example.com`."
          )
        const passwordHash =
          "passwordHash" in claim
            ? Redacted.value(claim.passwordHash)
            : yield* Effect.catchTag(signIn.hashPassword(claim.password), "PasswordUnacceptable", () =>
                Effect.fail(invalid("password", "Use a password of 12 to 128 characters."))
              )
        return { id: uuidv7(), name: claim.name.trim() || email.value, email: email.value, passwordHash }
      })

      // Once true, this value never becomes false again, because a pod never loses its owner.
      let isOwned = false
      const hasOwner = Effect.suspend(() =>
        isOwned ? Effect.succeed(true) : Effect.tap(store.hasOwner, (has) => Effect.sync(() => (isOwned = has)))
      )

      // The hash of the setup link that the owner used. The pod reads it only once, because this hash never changes.
      let ownersLink: Option.Option<Buffer> | undefined

      const claimed = (owner: NewPerson, linkHash: Buffer | null) =>
        Effect.zipLeft(store.claim(owner, linkHash), linkFile.remove)

      /**
       * Checks whether a claim can succeed. The pod does this check before it hashes a password, so that requests of
       * strangers use little computing time.
       */
      const claimable = Effect.fnUntraced(function* (linkHash: Buffer) {
        if (yield* hasOwner) {
          ownersLink ??= yield* store.usedSetupLink
          return yield* new AlreadyClaimed({ isByThisLink: Option.exists(ownersLink, (used) => used.equals(linkHash)) })
        }
        const state = yield* store.setupLinkState(linkHash)
        if (state !== "open") return yield* new SetupLinkInvalid({ isExpired: state === "expired" })
      })

      const ownAgent = Effect.fnUntraced(function* (agentId: string) {
        const agent = (yield* store.agents).find(({ id }) => id === agentId)
        return agent === undefined ? yield* foreignAgent : agent
      })

      const checkOwnAgents = Effect.fnUntraced(function* (agentIds: ReadonlyArray<string>) {
        if (agentIds.length === 0) return
        const own = new Set((yield* store.agents).map(({ id }) => id))
        if (!agentIds.every((id) => own.has(id))) return yield* foreignAgent
      })

      const agentGiven = Effect.fnUntraced(function* (agentId: string) {
        const { principal } = yield* Reach
        if (agentId === principal.personId)
          return yield* invalid("agentId", `${agentId} is the id of a person. Send the id of an agent.`)
        return yield* ownAgent(agentId)
      })

      const passFor = yield* ownSpacePass("agent", { subject: "agent" })

      return {
        accessOf: store.accessOf,
        me: Effect.gen(function* () {
          const { principal } = yield* Reach
          return { ...(yield* store.me), podRole: principal.podRole, scopes: principal.scopes }
        }),
        agents: store.agents,
        createAgent: (draft, agentType) =>
          Effect.flatMap(passFor("create"), (passed) =>
            within("agent", store.addAgent(uuidv7(), { ...draft, agentType }, passed))
          ),
        ownAgent,
        checkOwnAgents,
        agentGiven,
        updateAgent: Effect.fnUntraced(function* (agentId, change) {
          yield* agentGiven(agentId)
          const agent = yield* store.changeAgent(agentId, change, yield* passFor("update", agentId))
          yield* change.isSuspended === true ? endAfterwards(agentId) : waitBeforeAnswer(database)
          return agent
        }),
        hasOwner,
        ownerId: store.ownerId,
        claim: (owner) => Effect.flatMap(person(owner), (newOwner) => claimed(newOwner, null)),
        checkLink: (token) => claimable(hashOf(token)),
        claimByLink: (token, owner) =>
          Effect.zipRight(
            claimable(hashOf(token)),
            Effect.flatMap(person(owner), (newOwner) => claimed(newOwner, hashOf(token)))
          ).pipe(
            // Somebody else possibly used the link while the pod hashed the password. So the pod checks the link again,
            // and the caller gets a separate error for a used link.
            Effect.tapErrorTag("SetupLinkInvalid", () => claimable(hashOf(token)))
          ),
        newPerson: person,
        keepPerson: store.addPerson,
        addPerson: (draft) =>
          Effect.flatMap(person(draft), (newPerson) => Effect.as(store.addPerson(newPerson), newPerson.id)),
        setupLink: Effect.gen(function* () {
          const token = randomBytes(32).toString("base64url")
          yield* store.addSetupLink(hashOf(token), DateTime.add(yield* DateTime.now, { minutes: setupLinkMinutes }))
          return Redacted.make(token)
        })
      }
    })
  )
}

/**
 * The service of issuers that want to set up agents. An unknown issuer waits until the owner of the pod decides on it.
 * Until then, the pod does not call the issuer and does not check its assertions.
 */
import { Context, Effect, Layer, Option } from "effect"
import { Conflict, type Forbidden, invalid, NotFound, TooMany, type WriteRefusal } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { withoutLastSlashes } from "../../platform/ParsedUrl.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { FederationSettings } from "../federation/FederationSettings.ts"
import { isSafeAddress } from "../federation/IssuerKeys.ts"
import { Outbound } from "../outbound/OutboundCall.ts"
import { type ReceiverRules, receiverRules } from "../outbound/ReceiverAddress.ts"
import { People } from "../people/People.ts"
import { podOwnerOnly } from "../people/PodOwner.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { Listing } from "../records/Records.ts"
import { addressMax, type IssuerStatus, SetupIssuer } from "./SetupIssuer.ts"

// The maximum number of issuers that wait for a decision. There is a limit because strangers can add issuers, and a
// person must read the list.
const waitingMax = 50
const waitSeconds = 3_600

const setupWork = {
  operation: "setup.issuers",
  reason: "an issuer asks to set up an agent",
  scope: "hub-protocol.write"
} as const

/** The error if the pod has no owner yet. Without an owner, nobody can decide on the issuer. */
export const noOwner = new Conflict({
  code: "NO_OWNER",
  why: "This pod has no owner yet. Open the setup link first, or call `POST /setup/first-admin`."
})

const unusableIssuer = invalid(
  "issuer",
  "The issuer of the assertion must be a public https address in its standard form: in ASCII, with the scheme and the host in small letters, and without credentials, query and fragment. The operator can allow an issuer in the own network with `POD_OIDC_ISSUERS`."
)

/**
 * Returns true if the pod is allowed to show the URL of an issuer to the owner. A stranger chose the URL, and the owner
 * decides by its text. So it must be in the standard form, in which no character is invisible, and a letter of another
 * alphabet is written in ASCII (`xn--…`). Each issuer also has only one such form. The pod calls the address after the
 * approval, so it must be one that the pod may call for a person.
 */
const isUsable = (address: string, { urlFault }: ReceiverRules) =>
  address.length <= addressMax &&
  isSafeAddress(address) &&
  urlFault(address) === undefined &&
  withoutLastSlashes(new URL(address).href) === address &&
  !/[?#@]/.test(address)

export type IssuerDecision = Exclude<IssuerStatus, "pending">

export class SetupIssuers extends Context.Tag("pod/SetupIssuers")<
  SetupIssuers,
  {
    /**
     * Returns the status of an issuer. If the operator of the pod trusts an issuer (`POD_OIDC_ISSUERS`), the issuer is
     * approved, unless the owner has rejected it. For any other issuer without a record, creates a record with the
     * status `pending`.
     */
    readonly statusOf: (
      issuerUrl: string,
      agentType: string | null
    ) => Effect.Effect<
      { readonly status: "approved" | "rejected" } | { readonly status: "pending"; readonly issuer: SetupIssuer },
      Conflict | TooMany | WriteRefusal
    >
    /**
     * Runs a setup for an issuer, unless the owner has rejected the issuer. Returns None for a rejected issuer. A
     * rejection waits until a setup that is running has ended. So after a rejection, the issuer sets up nothing more.
     */
    readonly unlessRejected: <A, E, R>(
      issuerUrl: string,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<Option.Option<A>, E, R>
    /** Reads the record of an issuer, for a caller who has the id of the record. The caller needs no credential. */
    readonly poll: (id: string) => Effect.Effect<SetupIssuer, NotFound>
    readonly list: (
      query: Pick<Listing<SetupIssuer>, "limit" | "offset" | "cursor"> & {
        readonly status?: IssuerStatus | undefined
      }
    ) => Effect.Effect<Page<SetupIssuer>, Forbidden, Reach>
    readonly decide: (id: string, status: IssuerDecision) => Effect.Effect<SetupIssuer, WriteRefusal | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { issuers: operated } = yield* FederationSettings
      const rules = receiverRules((yield* Outbound).allowed)
      const people = yield* People
      const standing = yield* StandingReach
      const transaction = yield* Transaction

      const issuers = yield* governedRecords(SetupIssuer, {
        isForPeople: true,
        check: Effect.fnUntraced(function* (_fields, { object }) {
          yield* podOwnerOnly("can decide about issuers")
          const { personId } = (yield* Reach).principal
          if (object.spaceId !== personId)
            return yield* invalid(
              "workspaceId",
              "An issuer belongs to the owner of the pod and cannot be in a workspace. Leave out `workspaceId`."
            )
        })
      })

      /**
       * Runs work in the name of the pod's owner. Returns None if the pod has no owner, or if the owner is not active.
       */
      const asOwner = <A, E>(work: (ownerId: string) => Effect.Effect<A, E, Reach>) =>
        Effect.flatMap(people.ownerId, (ownerId) =>
          ownerId === undefined
            ? Effect.succeedNone
            : standing.run({ personId: ownerId, keyId: null }, setupWork, work(ownerId))
        )

      const added = Effect.fnUntraced(function* (ownerId: string, issuerUrl: string, agentType: string | null) {
        const { items: waiting } = yield* issuers.list({
          workspaceId: ownerId,
          where: { status: "pending" },
          limit: waitingMax
        })
        if (waiting.length >= waitingMax) {
          return yield* new TooMany({
            why: "Too many issuers wait for the owner of this pod. Ask the owner to decide about them.",
            retryAfterSeconds: waitSeconds
          })
        }
        return yield* issuers.create({
          workspaceId: ownerId,
          fields: { issuerUrl, status: "pending", agentType },
          reasoning: undefined
        })
      })

      /**
       * Runs work under a lock. So decisions about issuers, additions of issuers and setups by issuers never run at the
       * same time.
       */
      const oneByOne = <A, E, R>(work: Effect.Effect<A, E, R>) => transaction.exclusively("setup issuers", work)

      const recordOf = (issuerUrl: string) => (ownerId: string) =>
        Effect.map(
          issuers.list({ workspaceId: ownerId, where: { issuerUrl }, limit: 1 }),
          ({ items }): SetupIssuer | undefined => items[0]
        )

      // The lock makes sure that two simultaneous requests of a new issuer make only one record.
      const known = (issuerUrl: string, agentType: string | null) => (ownerId: string) =>
        oneByOne(
          Effect.gen(function* () {
            const record = yield* recordOf(issuerUrl)(ownerId)
            if (record !== undefined) return record
            return operated.includes(issuerUrl) ? undefined : yield* added(ownerId, issuerUrl, agentType)
          })
        )

      return {
        statusOf: Effect.fnUntraced(function* (issuerUrl, agentType) {
          if (!operated.includes(issuerUrl) && !isUsable(issuerUrl, rules)) return yield* unusableIssuer
          const found = yield* asOwner(known(issuerUrl, agentType)).pipe(
            // The owner is a person, whose writes need no approval. So `Proposed` cannot occur.
            Effect.catchTag("Proposed", Effect.die)
          )
          if (found._tag === "None") return yield* noOwner
          const issuer = found.value
          if (issuer === undefined) return { status: "approved" as const }
          // The decision of the owner has priority. If the owner has not decided yet, the setting of the operator
          // decides.
          if (issuer.status === "pending")
            return operated.includes(issuerUrl)
              ? { status: "approved" as const }
              : { status: "pending" as const, issuer }
          return { status: issuer.status }
        }),
        unlessRejected: (issuerUrl, work) =>
          oneByOne(
            Effect.flatMap(Effect.orDie(asOwner(recordOf(issuerUrl))), (found) =>
              Option.getOrUndefined(found)?.status === "rejected" ? Effect.succeedNone : Effect.asSome(work)
            )
          ),
        poll: (id) =>
          Effect.flatMap(
            asOwner(() => issuers.get(id)),
            (found) =>
              found._tag === "None"
                ? new NotFound({ why: "No issuer with this id has asked to set up agents." })
                : Effect.succeed(found.value)
          ),
        list: Effect.fnUntraced(function* ({ status, ...page }) {
          yield* podOwnerOnly("can see the issuers")
          const { personId } = (yield* Reach).principal
          return yield* issuers.list({ workspaceId: personId, where: { status }, ...page })
        }),
        decide: Effect.fnUntraced(function* (id, status) {
          yield* podOwnerOnly("can decide about issuers")
          return yield* oneByOne(
            Effect.filterOrElse(
              issuers.get(id),
              (issuer) => issuer.status === status,
              () => issuers.update(id, { status })
            )
          )
        })
      }
    })
  )
}

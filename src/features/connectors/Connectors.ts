/**
 * The service of connectors. It decides which addresses are allowed and to which hosts the pod sends a credential, and
 * it tests connectors.
 */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { type Forbidden, type Invalid, invalid, type NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { makeTurns } from "../../doors/Turns.ts"
import { type CallResult, Outbound, outboundCalls } from "../outbound/OutboundCall.ts"
import { receiverRules } from "../outbound/ReceiverAddress.ts"
import type { Deleted } from "../gate/Changers.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { WriteFailure } from "../records/RecordOperations.ts"
import { splitFilters } from "../records/RecordType.ts"
import { Vaults } from "../vault/Vaults.ts"
import {
  Connector,
  type ConnectorChange,
  type ConnectorDraft,
  type ConnectorInput,
  type ConnectorStatus
} from "./Connector.ts"

const probeTimeout = "5 seconds"
// milliseconds; longer than a test of a service that does not answer
const turnPatienceMs = 10_000
const probeEvery = "5 seconds" // a second test of a connector within this time returns the result of the first test

interface ServiceState {
  readonly status: ConnectorStatus
  readonly statusDetail: string | null
}

const uncheckedState = { status: "unknown" as const, statusDetail: null, checkedAt: null }

/** Derives the status of a connector from the answer of its service. Keeps no text from the service. */
export const statusOf = ({ error, status }: CallResult): ServiceState => {
  if (status === null) return { status: "unreachable", statusDetail: error }
  const statusDetail = `The service answered with the HTTP status ${status}.`
  if (status >= 200 && status < 300) return { status: "connected", statusDetail }
  return { status: status === 401 || status === 403 ? "unauthorized" : "failing", statusDetail }
}

export class Connectors extends Context.Tag("pod/Connectors")<
  Connectors,
  {
    readonly list: (page: typeof ConnectorInput.Type) => Effect.Effect<Page<Connector>, Forbidden, Reach>
    readonly create: (draft: typeof ConnectorDraft.Type) => Effect.Effect<Connector, WriteFailure, Reach>
    readonly update: (id: string, change: typeof ConnectorChange.Type) => Effect.Effect<Connector, WriteFailure, Reach>
    /**
     * Calls the service of a connector, and stores whether the service answers. If another test of the connector has
     * just run, returns the stored result.
     */
    readonly probe: (id: string) => Effect.Effect<Connector, WriteFailure, Reach>
    readonly disconnect: (id: string) => Effect.Effect<Connector, WriteFailure, Reach>
    readonly remove: (id: string) => Effect.Effect<Deleted, WriteFailure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const vaults = yield* Vaults
      const outbound = yield* Outbound
      const call = outboundCalls(outbound)
      const { urlFault } = receiverRules(outbound.allowed)
      const records = yield* governedRecords(Connector, {
        isForPeople: true,
        check: ({ baseUrl }) => {
          const fault = baseUrl === undefined ? undefined : urlFault(baseUrl)
          return fault === undefined ? Effect.void : Effect.fail(invalid("baseUrl", fault))
        }
      })

      /**
       * Checks that the vault entry of the credential is for the host of the connector. So nobody can send the
       * credential to another host by changing the URL of the connector.
       */
      const checkCredential = (baseUrl: string, credentialId: string | null): Effect.Effect<void, Invalid, Reach> =>
        credentialId === null
          ? Effect.void
          : Effect.flatMap(vaults.isForAddress(credentialId, baseUrl), (isFor) =>
              isFor
                ? Effect.void
                : invalid(
                    "credentialId",
                    "Use an entry of your vault whose `url` has the same scheme, host and port as `baseUrl`."
                  )
            )

      const look = ({ baseUrl, credentialId }: Connector): Effect.Effect<ServiceState, never, Reach> =>
        Effect.gen(function* () {
          const headers = { accept: "*/*", "user-agent": "pod" }
          if (credentialId === null)
            return statusOf(yield* call({ method: "GET", url: baseUrl, headers }, probeTimeout))
          const credential = yield* vaults.credentialFor(credentialId, baseUrl)
          if (Option.isNone(credential)) {
            return {
              status: "credential_missing" as const,
              statusDetail:
                "Your vault has no entry for the address of this connector, or the entry has another address now."
            }
          }
          const value = Redacted.value(credential.value)
          if (!/^[\x20-\x7e]+$/.test(value)) {
            return {
              status: "unauthorized" as const,
              statusDetail: "The value of the vault entry contains characters that a header cannot have."
            }
          }
          const request = {
            method: "GET" as const,
            url: baseUrl,
            headers: { ...headers, authorization: `Bearer ${value}` }
          }
          return statusOf(yield* call(request, probeTimeout))
        }).pipe(
          Effect.catchTag("Conflict", ({ why }) =>
            Effect.succeed({ status: "credential_missing" as const, statusDetail: why })
          )
        )

      // Of two tests at the same moment, the second one waits for the result of the first. Otherwise each test would send
      // the credential, and only one of them could store its result.
      const inTurn = makeTurns(turnPatienceMs)

      const found = (id: string): Effect.Effect<Connector, Forbidden | NotFound, Reach> =>
        Effect.zipRight(records.mayCreate(null), records.get(id))

      const probed = Effect.fnUntraced(function* (id: string) {
        const connector = yield* found(id)
        const { checkedAt, status, version } = connector
        const now = yield* DateTime.now
        const isFresh = checkedAt !== null && DateTime.lessThan(now, DateTime.addDuration(checkedAt, probeEvery))
        if (isFresh || status === "disconnected") return connector
        const seen = yield* look(connector)
        // If the address changes during this test, the pod does not store the result for the former address.
        return yield* records.update(id, { ...seen, checkedAt: yield* DateTime.now }, { expectedVersion: version })
      })

      return {
        list: (page) => records.list(splitFilters(page, ["kind"])),
        create: Effect.fnUntraced(function* (draft) {
          yield* records.mayCreate(null)
          yield* checkCredential(draft.baseUrl, draft.credentialId)
          return yield* records.create({ fields: { ...draft, ...uncheckedState } })
        }),
        update: Effect.fnUntraced(function* (id, { expectedVersion, ...change }) {
          const before = yield* found(id)
          const baseUrl = change.baseUrl ?? before.baseUrl
          const credentialId = change.credentialId === undefined ? before.credentialId : change.credentialId
          yield* checkCredential(baseUrl, credentialId)
          const isOther = baseUrl !== before.baseUrl || credentialId !== before.credentialId
          return yield* records.update(
            id,
            { ...change, ...(isOther ? uncheckedState : {}) },
            { expectedVersion: expectedVersion ?? before.version }
          )
        }),
        probe: (id) => Effect.zipRight(found(id), inTurn(id, probed(id))),
        disconnect: (id) =>
          Effect.zipRight(
            found(id),
            records.update(id, { credentialId: null, status: "disconnected", statusDetail: null, checkedAt: null })
          ),
        remove: (id) => records.remove(id)
      }
    })
  )
}

/**
 * A connector: a service outside of the pod, to which a person connects the pod. Its credential is an entry of the
 * person's vault.
 */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf } from "../records/RecordInputs.ts"
import { recordType, updateDetails } from "../records/RecordType.ts"

const Kind = Schema.String.pipe(Schema.maxLength(50), Schema.pattern(/^[a-z][a-z0-9_-]*$/)).annotations({
  identifier: "ConnectorKind",
  description: "Kind of the service, such as `github`."
})

const CredentialId = Schema.NullOr(Id).annotations({
  identifier: "ConnectorCredentialId",
  description: "Id of the vault entry with the credential. The entry must be for the host of `baseUrl`."
})

const Status = described(
  "`unknown`: not checked since a change; `connected`; `unauthorized`: the service refuses the credential; `failing`: the service answers with an error; `unreachable`; `credential_missing`; `disconnected`.",
  Schema.Literal("unknown", "connected", "unauthorized", "failing", "unreachable", "credential_missing", "disconnected")
)
export type ConnectorStatus = typeof Status.Type

const state = {
  status: Status,
  statusDetail: described("Reason for the status, as a sentence.", Schema.NullOr(Schema.String)),
  checkedAt: Schema.NullOr(Timestamp)
}

export const Connector = recordType("connector", {
  identifier: "Connector",
  subject: "connector",
  table: "connectors",
  fields: {
    name: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))),
    kind: writable(Kind),
    baseUrl: writable(Schema.String.pipe(Schema.maxLength(2048)), {
      meaning: "Address that the pod calls to check the connector."
    }),
    credentialId: writable(CredentialId, { default: null }),
    ...state
  },
  visibility: "own",
  order: "created"
})
export type Connector = typeof Connector.schema.Type

export const ConnectorDraft = inputOf("ConnectorDraft", Connector.draft, {
  name: "Tide service",
  kind: "http",
  baseUrl: "https://tides.example.com"
})
export const ConnectorChange = inputOf(
  "ConnectorChange",
  { ...Connector.change, expectedVersion: updateDetails.expectedVersion },
  { name: "Tides and weather" }
)

export const ConnectorQuery = Schema.Struct({
  kind: described("Only connectors of this kind.", Schema.optional(Schema.String)),
  ...pageQuery("connectors", 50, 200)
})
export const ConnectorInput = Schema.Struct({
  kind: described("Only connectors of this kind.", Schema.optional(Schema.String)),
  ...pageInput("connectors", 50, 200)
})

export const ConnectorState = Schema.Struct({
  id: Id,
  name: Connector.stored.name,
  kind: Connector.stored.kind,
  ...state
}).annotations({ identifier: "ConnectorState" })

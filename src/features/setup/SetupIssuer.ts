/**
 * An issuer, and what the owner of the pod decided about it. An issuer is an outside service that signs requests to set
 * up agents.
 */
import { Schema } from "effect"
import { described } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { recordType } from "../records/RecordType.ts"

// the maximum number of characters of the URL of an issuer
export const addressMax = 300

export const IssuerStatus = Schema.Literal("pending", "approved", "rejected").annotations({
  identifier: "IssuerStatus"
})
export type IssuerStatus = typeof IssuerStatus.Type

export const AgentType = Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9._-]{0,63}$/)).annotations({
  identifier: "AgentType",
  jsonSchema: { type: "string", pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" }
})

/**
 * The record of an issuer that asked to be trusted. The record is in the personal space of the owner of the pod,
 * because only the owner decides whether to trust the issuer.
 */
export const SetupIssuer = recordType("setup_issuer", {
  identifier: "SetupIssuer",
  subject: "agent",
  table: "setup_issuers",
  unique: { fields: ["issuerUrl"] },
  visibility: "own",
  fields: {
    issuerUrl: described(
      "URL of the issuer: the `iss` of its assertions.",
      Schema.String.pipe(Schema.minLength(1), Schema.maxLength(addressMax))
    ),
    status: IssuerStatus,
    agentType: described(
      "Type of the agent that the issuer requested at first; null for a service key.",
      Schema.NullOr(AgentType)
    )
  },
  title: ({ issuerUrl }) => issuerUrl ?? ""
})
export type SetupIssuer = typeof SetupIssuer.schema.Type

export const IssuerQuery = Schema.Struct({
  status: described("Only issuers with this status.", Schema.optional(IssuerStatus)),
  ...pageQuery("issuers", 50, 200)
})

/** The Hub endpoint of federation. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/DeclareRest.ts"
import { fullGrant } from "../../doors/Door.ts"
import { AssertionDraft } from "./Federation.ts"

export const FederationApi = HttpApiGroup.make("federation")
  .annotate(
    OpenApi.Description,
    "Federation: signed statements (assertions) from outside services that the pod trusts."
  )
  .add(
    // This operation is declared as a read, because it writes no record. It only stores that the assertion was used.
    read("federation.oidcConfig", {
      method: "POST",
      path: "/federation/oidc-config",
      payload: AssertionDraft,
      success: Schema.Struct({ ok: Schema.Literal(true) }),
      door: fullGrant("hub-protocol.write"),
      summary: "Check an assertion of a trusted issuer. No later call accepts it again."
    })
  )

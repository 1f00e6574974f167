/**
 * The endpoints that set up a pod: its first owner, its agents and services, and the issuers that are allowed to set up
 * agents.
 */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { open, sessionOnly, read } from "../../doors/DeclareRest.ts"
import { everybody, fullGrant, signedIn } from "../../doors/Door.ts"
import { GrantDoorUnsupported, NotFound } from "../../doors/Failure.ts"
import { idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import {
  AgentSetup,
  AgentSetupDraft,
  FirstAdminDraft,
  IssuerProgress,
  IssuerWaiting,
  MagicLink,
  PodNameDraft,
  ServiceSetup,
  ServiceSetupDraft,
  SetupStatus
} from "./Setup.ts"
import { IssuerQuery, SetupIssuer } from "./SetupIssuer.ts"

const ownCredential = everybody(
  "the provisioning token, an assertion of an approved issuer, or a key with the scope `setup.agent` is enough"
)

export const SetupApi = HttpApiGroup.make("setup")
  .annotate(OpenApi.Description, "Setup: how the pod gets its first owner, and who may set up agents and services.")
  .add(
    open("setup.status", {
      path: "/setup/status",
      success: SetupStatus,
      door: everybody("a pod without an owner has no keys and no sessions"),
      summary: "Read whether the pod has an owner, and the name of the pod."
    })
  )
  .add(
    sessionOnly("setup.namePod", {
      method: "PUT",
      path: "/setup/pod-name",
      payload: PodNameDraft,
      success: SetupStatus,
      door: signedIn,
      summary: "Give the pod a name, or remove its name. Only for the pod's owner and administrators."
    })
  )
  .add(
    open("setup.firstAdmin", {
      method: "POST",
      path: "/setup/first-admin",
      payload: FirstAdminDraft,
      success: Schema.Struct({ success: Schema.Literal(true) }),
      door: everybody("while the pod has no owner, the setup link or the provisioning token is enough"),
      summary: "Become the owner of a pod that has no owner."
    })
  )
  .add(
    open("setup.magicLink", {
      method: "POST",
      path: "/setup/magic-link",
      success: MagicLink,
      answersSecret: true,
      door: everybody("while the pod has no owner, the provisioning token is enough"),
      summary: "Make a setup link for the first owner."
    })
  )
  .add(
    open("setup.agent", {
      method: "POST",
      path: "/setup/agent",
      payload: AgentSetupDraft,
      success: AgentSetup,
      accepted: IssuerWaiting,
      errors: [GrantDoorUnsupported, NotFound],
      answersSecret: true,
      door: ownCredential,
      summary:
        "Set up an agent of a type, such as `n8n`, with a new key. The agent acts for the owner of the calling key, or for the pod's owner. Earlier keys of the agent stop working."
    })
  )
  .add(
    open("setup.agentPending", {
      path: "/setup/agent/pending/:id",
      params: idPath,
      success: IssuerProgress,
      errors: [NotFound],
      door: everybody("the id from a 202 answer is enough"),
      summary: "Read the owner's decision on an outside service (issuer)."
    })
  )
  .add(
    open("setup.service", {
      method: "POST",
      path: "/setup/service",
      payload: ServiceSetupDraft,
      success: ServiceSetup,
      accepted: IssuerWaiting,
      errors: [GrantDoorUnsupported, NotFound],
      answersSecret: true,
      door: ownCredential,
      summary: "Make a key for a service. The key is limited to one workspace."
    })
  )
  .add(
    read("setup.issuers", {
      path: "/setup/issuers",
      query: IssuerQuery,
      success: pageOf(SetupIssuer.schema),
      door: fullGrant("hub-protocol.read"),
      summary: "List the outside services (issuers) that asked to set up agents or services. Only for the pod's owner."
    })
  )
  .add(
    sessionOnly("setup.approveIssuer", {
      method: "POST",
      path: "/setup/issuers/:id/approve",
      params: idPath,
      success: SetupIssuer.schema,
      errors: [NotFound],
      door: signedIn,
      summary: "Let an issuer set up agents and services in your name. Only for the pod's owner."
    })
  )
  .add(
    sessionOnly("setup.rejectIssuer", {
      method: "POST",
      path: "/setup/issuers/:id/reject",
      params: idPath,
      success: SetupIssuer.schema,
      errors: [NotFound],
      door: signedIn,
      summary: "Refuse an issuer, even after an approval. Keys that the issuer already made stay valid."
    })
  )

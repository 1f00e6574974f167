/** The handlers of the endpoints that set up a pod. They translate between the endpoints and the services. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { hubMount } from "../../doors/Mounts.ts"
import { People } from "../people/People.ts"
import { AgentSetups } from "./AgentSetups.ts"
import { FirstOwner } from "./FirstOwner.ts"
import { PodNames } from "./PodNames.ts"
import { Provisioner } from "./Provisioner.ts"
import { SetupApi } from "./SetupApi.ts"
import type { SetupIssuer } from "./SetupIssuer.ts"
import { SetupIssuers } from "./SetupIssuers.ts"
import { SetupSettings } from "./SetupSettings.ts"

export const layer = implement(
  SetupApi,
  Effect.gen(function* () {
    const { baseUrl } = yield* SetupSettings
    const people = yield* People
    const issuers = yield* SetupIssuers
    const provisioner = yield* Provisioner
    const setups = yield* AgentSetups
    const firstOwner = yield* FirstOwner
    const podNames = yield* PodNames

    const status = Effect.all({ hasAdmin: people.hasOwner, name: podNames.name }).pipe(
      Effect.map(({ hasAdmin, name }) => ({
        hasAdmin,
        needsSetup: !hasAdmin,
        // Only people create workspaces, so a pod without people has no workspaces.
        ...(hasAdmin ? {} : { workspaceCount: 0 }),
        ...(name === undefined ? {} : { podName: name })
      }))
    )

    /**
     * The URL that lists the issuers that wait for a decision. The owner of the pod decides on issuers over REST,
     * because the console has no page for this decision.
     */
    const adminUrl = `${baseUrl}${hubMount}/setup/issuers?status=pending`

    const toAnswer = <A>(outcome: { readonly answer: A } | { readonly waiting: SetupIssuer }) =>
      "answer" in outcome
        ? outcome.answer
        : {
            code: "ISSUER_PENDING_APPROVAL" as const,
            pendingId: outcome.waiting.id,
            issuerUrl: outcome.waiting.issuerUrl,
            adminUrl,
            message: "The owner of this pod has to approve the issuer first. Then send a new assertion."
          }

    return {
      "setup.status": () => status,
      "setup.namePod": ({ payload: { name } }) => Effect.zipRight(podNames.rename(name), status),
      "setup.firstAdmin": ({ payload }) => Effect.as(firstOwner.claim(payload), { success: true as const }),
      "setup.magicLink": () => firstOwner.magicLink,
      "setup.agent": ({ payload }) =>
        Effect.map(
          provisioner.run({ route: "/setup/agent", agentType: payload.agentType }, (by) => setups.agent(payload, by)),
          toAnswer
        ),
      "setup.agentPending": ({ path }) =>
        Effect.map(issuers.poll(path.id), ({ issuerUrl, status }) => ({ status, issuerUrl, adminUrl })),
      "setup.service": ({ payload }) =>
        Effect.map(
          provisioner.run({ route: "/setup/service", agentType: null }, (by) => setups.service(payload, by)),
          toAnswer
        ),
      "setup.issuers": ({ urlParams }) => issuers.list(urlParams),
      "setup.approveIssuer": ({ path }) => issuers.decide(path.id, "approved"),
      "setup.rejectIssuer": ({ path }) => issuers.decide(path.id, "rejected")
    }
  })
)

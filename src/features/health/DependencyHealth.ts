/**
 * Probes every service of the pod at the same time, with a time limit, and reports whether all configured services
 * answer.
 */
import { Cause, Context, DateTime, Duration, Effect, Layer } from "effect"
import { AuthorityLost } from "../../doors/Authority.ts"
import type { Forbidden } from "../../doors/Failure.ts"
import { isPublic, Reach } from "../../doors/Reach.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import type { HealthReport } from "./HealthReport.ts"
import { Dependencies, type Probe, type ProbeAnswer } from "./Dependencies.ts"

export const probeMax = Duration.seconds(2)

const downAnswer = (reason: string): ProbeAnswer => ({ state: "down", reason })

/**
 * Returns true if a probe failed because the caller's credential was revoked or the call was interrupted. Such a
 * failure says nothing about the service.
 */
const isOfCaller = (cause: Cause.Cause<unknown>) =>
  [...Cause.defects(cause)].some((defect) => defect instanceof AuthorityLost) || Cause.isInterruptedOnly(cause)

/** Keeps only the state of a service. The pod is allowed to show this state to a caller that it cannot identify. */
const withoutDetails = (dependency: HealthReport["dependencies"][number]): HealthReport["dependencies"][number] => ({
  ...dependency,
  reason: null,
  endpoint: null,
  serviceId: null,
  httpStatus: null
})

export class DependencyHealth extends Context.Tag("pod/DependencyHealth")<
  DependencyHealth,
  {
    /**
     * Returns the state of every service, including the services that do not answer. Fails with Forbidden for a
     * workspace that the caller cannot access. If the pod does not know the caller, the result has only states, and no
     * workspace.
     */
    readonly report: (workspaceId: string | undefined) => Effect.Effect<HealthReport, Forbidden, Reach>
    /**
     * Probes one service now and returns the state of the service. Returns undefined if the pod has no probe of this
     * name.
     */
    readonly check: (name: string) => Effect.Effect<HealthReport["dependencies"][number] | void, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { all, remember } = yield* Dependencies

      const healthOf = (workspaceId: string | null, { check, name }: Probe) =>
        check(workspaceId).pipe(
          Effect.timeoutTo({
            duration: probeMax,
            onSuccess: (answer): ProbeAnswer => answer,
            onTimeout: () => downAnswer(`The service did not answer within ${Duration.toSeconds(probeMax)} seconds.`)
          }),
          Effect.catchAllCause((cause) =>
            isOfCaller(cause)
              ? // The cast is safe, because `isOfCaller` is true only for causes without an expected failure.
                Effect.failCause(cause as Cause.Cause<never>)
              : Effect.as(
                  Effect.logDebug("a dependency does not answer", cause),
                  downAnswer("The service did not answer.")
                )
          ),
          Effect.timed,
          Effect.map(([duration, answer]) => ({
            name,
            state: answer.state,
            reachable: answer.state === "ok",
            reason: answer.reason ?? null,
            endpoint: answer.endpoint ?? null,
            serviceId: answer.serviceId ?? null,
            httpStatus: answer.httpStatus ?? null,
            latencyMs: Math.round(Duration.toMillis(duration))
          })),
          Effect.tap(({ state }) => Effect.flatMap(DateTime.now, (checkedAt) => remember(name, { state, checkedAt })))
        )

      return {
        check: (name) =>
          Effect.flatMap(all, (probes) => {
            const probe = probes.find((each) => each.name === name)
            return probe === undefined ? Effect.void : healthOf(null, probe)
          }),
        report: Effect.fnUntraced(function* (workspaceId) {
          const isKnown = !isPublic(yield* Reach)
          if (isKnown && workspaceId !== undefined) yield* requestedSpace(workspaceId)
          const place = isKnown ? (workspaceId ?? null) : null
          const probes = yield* all
          const found = yield* Effect.forEach(probes, (probe) => healthOf(place, probe), { concurrency: "unbounded" })
          const dependencies = isKnown ? found : found.map(withoutDetails)
          return {
            status: dependencies.some(({ state }) => state === "down") ? "degraded" : "ok",
            service: "hub-protocol",
            checkedAt: yield* DateTime.now,
            resolution: { workspaceId: place, capability: "all" },
            dependencies
          }
        })
      }
    })
  )
}

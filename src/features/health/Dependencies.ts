/**
 * The registry of the services on which the pod depends. Each feature that calls a service adds a probe, and the health
 * check runs all probes.
 */
import { Context, type DateTime, Effect, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"

/**
 * The result of a probe. A probe calls a service. If the probe fails or takes too long, the pod reports that the
 * service is down.
 */
export interface ProbeAnswer {
  /** `not_configured` means that the pod runs without this service, which is not an error. */
  readonly state: "ok" | "down" | "not_configured"
  /** A short text for people. It never contains an address with a secret in it. */
  readonly reason?: string | null
  readonly endpoint?: string | null
  readonly serviceId?: string | null
  readonly httpStatus?: number | null
}

export interface Probe {
  readonly name: string
  /**
   * Runs the probe with the settings of the given workspace, or with the settings of the pod if the workspace is null.
   */
  readonly check: (workspaceId: string | null) => Effect.Effect<ProbeAnswer, unknown, Reach>
}

/** The result of the last probe of a service. */
export interface KnownState extends Pick<ProbeAnswer, "state"> {
  readonly checkedAt: DateTime.Utc
}

/** The services on which a pod can depend. The health check shows a service without a probe as not configured. */
export const knownDependencies = ["database", "search-index", "embedding-service", "model-service", "jobs"] as const

export class Dependencies extends Context.Tag("pod/Dependencies")<
  Dependencies,
  {
    /** Adds a probe. If a probe with the same name exists, the start of the pod fails. */
    readonly register: (probe: Probe) => Effect.Effect<void>
    /**
     * All probes. The probes of the known services come first, and then the other probes in the order in which they
     * were added.
     */
    readonly all: Effect.Effect<ReadonlyArray<Probe>>
    /** Stores the result of the last probe of the service with this name. */
    readonly remember: (name: string, known: KnownState) => Effect.Effect<void>
    /** Returns the last known state of a service in this process. Does not call the service. */
    readonly lastState: (name: string) => Effect.Effect<KnownState | undefined>
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const probes = new Map<string, Probe>()
    const learned = new Map<string, KnownState>()
    const unconfigured = (name: string): Probe => ({
      name,
      check: () => Effect.succeed({ state: "not_configured", reason: "This pod runs without the service." })
    })
    return {
      remember: (name: string, known: KnownState) => Effect.sync(() => void learned.set(name, known)),
      lastState: (name: string) => Effect.sync(() => learned.get(name)),
      register: (probe: Probe) =>
        probes.has(probe.name)
          ? Effect.dieMessage(`${probe.name} has two probes`)
          : Effect.sync(() => void probes.set(probe.name, probe)),
      all: Effect.sync(() => {
        const known: ReadonlyArray<string> = knownDependencies
        const others = [...probes.values()].filter(({ name }) => !known.includes(name))
        return [...known.map((name) => probes.get(name) ?? unconfigured(name)), ...others]
      })
    }
  })

  /** Makes the layer with which a feature adds its probe. */
  static readonly probing = <E, R>(probe: Effect.Effect<Probe, E, R>): Layer.Layer<never, E, R | Dependencies> =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const { register } = yield* Dependencies
        yield* register(yield* probe)
      })
    )
}

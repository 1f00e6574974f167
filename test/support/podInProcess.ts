/**
 * A pod in memory without HTTP. Tests call the handlers of operations directly. Tests can also replace all stores by
 * empty stores.
 */
import { Context, Effect, Exit, FiberRef, Layer, ManagedRuntime, Redacted, Runtime, Scope } from "effect"
import { Catalog } from "../../src/doors/Catalog.ts"
import type { Operation } from "../../src/doors/Operation.ts"
import { Revocations } from "../../src/doors/Revocations.ts"
import * as Pod from "../../src/Pod.ts"
import type { PodOptions } from "../../src/PodOptions.ts"

const options: PodOptions = {
  pepper: Redacted.make("a pepper for tests, of no less than 32 bytes"),
  sessionSecret: Redacted.make("0123456789abcdefghijklmnopqrstuvwxyzABCDEF"),
  encryptionKey: Redacted.make("9876456789abcdefghijklmnopqrstuvwxyzABCDEF"),
  sessionSeconds: 3600,
  isProduction: false,
  baseUrl: "http://localhost",
  rateLimitPerMinute: 1_000_000,
  searchMemoryBytes: 64 * 1024 * 1024
}

const adapters = Layer.provideMerge(Pod.memoryAdapters, Revocations.layer)

type Method = (...input: ReadonlyArray<unknown>) => unknown
type Service = Readonly<Record<string, unknown>>

/**
 * Makes a service with the same functions as `first`. Each call goes to the service that `now` returns at that moment.
 */
const forwarding = (first: Service, now: () => Service): Service =>
  Object.fromEntries(
    Object.entries(first).map(([name, part]) => [
      name,
      typeof part === "function"
        ? (...input: ReadonlyArray<unknown>) => (now()[name] as Method)(...input)
        : Effect.isEffect(part)
          ? Effect.suspend(() => now()[name] as Effect.Effect<unknown>)
          : part
    ])
  )

export interface PodInProcess {
  /** The operations by name, such as `proposals.edit`. */
  readonly operations: ReadonlyMap<string, Operation>
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Exit.Exit<A, E>
  /** Returns the current stores, with the state that these stores share. */
  readonly stores: () => Context.Context<any>
  /** Replaces the stores by empty stores. */
  readonly clear: () => void
  readonly stop: () => Promise<void>
}

/**
 * Builds all layers behind the surfaces (REST, procedures, MCP) once. Later `clear` creates only the stores again,
 * which takes about a millisecond.
 */
export const aPodInProcess = async (): Promise<PodInProcess> => {
  const fresh = () => {
    const scope = Effect.runSync(Scope.make())
    return Effect.runSync(Layer.buildWithScope(adapters, scope)) as Context.Context<any>
  }
  let stores = fresh()
  const exchanged = new Map(
    [...stores.unsafeMap].map(([key, service]) => [
      key,
      forwarding(service as Service, () => stores.unsafeMap.get(key) as Service)
    ])
  )
  // The replaced stores provide the same services as the pod's own stores, so the pod needs no further services.
  const pod = Pod.layerOver<Layer.Layer.Success<typeof adapters>, never, never>(
    Layer.succeedContext(Context.unsafeMake(exchanged)),
    options
  )
  const runtime = ManagedRuntime.make(pod)
  // This runtime has no services, because each call would copy them. Like `Dispatch`, it makes no spans.
  const light = Runtime.setFiberRef(
    Runtime.updateContext(await runtime.runtime(), () => Context.empty()),
    FiberRef.currentTracerEnabled,
    false
  )
  const { procedures, rest } = await runtime.runPromise(Effect.flatMap(Catalog, ({ compiled }) => compiled))
  const operations = new Map<string, Operation>([
    ...procedures,
    ...rest.map((operation) => [operation.name, operation] as const)
  ])
  return {
    operations,
    run: Runtime.runSyncExit(light),
    stores: () => stores,
    clear: () => {
      stores = fresh()
    },
    stop: () => runtime.dispose()
  }
}

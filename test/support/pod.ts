/** Starts a whole pod for a test on a free port of 127.0.0.1, with functions that make people, sessions and keys. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import type { PGlite } from "@electric-sql/pglite"
import { Context, Duration, Effect, Exit, Layer, ManagedRuntime, Option, Redacted, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { mintableScopes } from "../../src/doors/Scope.ts"
import { People } from "../../src/features/people/People.ts"
import { Readiness } from "../../src/features/system/Readiness.ts"
import { WebhookSettings } from "../../src/features/webhooks/WebhookSettings.ts"
import { layerPglite } from "../../src/platform/Embedded.ts"
import { modelOptionsOf } from "../../src/platform/models/ModelEndpoint.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import type { SettingsShape } from "../../src/platform/settings/Settings.ts"
import { shownSettingsOf } from "../../src/platform/settings/ShownSettings.ts"
import * as Pod from "../../src/Pod.ts"
import type { PodOptions } from "../../src/PodOptions.ts"
import * as Serve from "../../src/Serve.ts"
import { standardTimes, type StreamTimes } from "../../src/surfaces/EventStream.ts"
import type { RequestTimes } from "../../src/surfaces/Connections.ts"
import { Server } from "../../src/surfaces/Server.ts"
import { sharedPassword } from "./cheapPassword.ts"
import { exchange } from "./exchange.ts"
import type { TestDatabase } from "./postgres.ts"
import { aSettings } from "./settings.ts"

/** The storage of the pod of a test. */
export type Storage =
  | { readonly kind: "memory" }
  | {
      readonly kind: "pglite"
      readonly open: () => Promise<PGlite>
      readonly reopen?: () => Promise<PGlite>
      /** The folder of the database. If present, the pod checks whether it can change the files in this folder. */
      readonly folder?: string
    }
  | { readonly kind: "postgres"; readonly url: string }
  /** Each pod opens its own database, and drops this database when the pod stops. */
  | { readonly kind: "postgres"; readonly open: () => Promise<TestDatabase> }

export const ownerEmail = "owner@example.com"
export const ownerPassword = sharedPassword

const pepper = Redacted.make("a pepper for tests, of no less than 32 bytes")

/** The layers that a test replaces or adds. */
export interface PodHooks {
  /** The encryption key for stored secrets. Another key simulates a pod that has lost its former key. */
  readonly encryptionKey?: string
  /** Stores that replace stores in memory, such as a store that fails. They can use the stores that they replace. */
  readonly adapters?: Layer.Layer<any, never, any>
  /** Times of event streams. An absent time has its standard value. */
  readonly streams?: Partial<StreamTimes>
  /** How long a search waits until its index is loaded. If absent, there is no limit. */
  readonly searchPatience?: Duration.Duration
  /** Shorter limits for the time in which a request must arrive. */
  readonly requestTimes?: RequestTimes
  readonly logging?: Layer.Layer<never>
  /** Settings of webhooks, such as shorter times. Without them, the standard settings apply. */
  readonly webhooks?: typeof WebhookSettings.Service
  /**
   * Gives the pod a socket. Only the operator of the data directory can call the pod over this socket. In a test, the
   * caller `operator` does this.
   */
  readonly hasSocket?: true
  /** Keeps the pod in its starting phase until the test ends this phase. */
  readonly isStarting?: true
}

const postgresAt = ({ url }: Pick<TestDatabase, "url">) =>
  layerPostgres({ url: Redacted.make(url), poolMax: 10, startTimeoutMs: 5_000 })

const ownPostgres = ({ open }: { readonly open: () => Promise<TestDatabase> }) =>
  Layer.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(Effect.promise(open), ({ drop }) => Effect.promise(drop)),
      postgresAt
    )
  )

/** Makes the pod over this storage. */
export const podOver = (storage: Storage, options: PodOptions, { adapters }: PodHooks) => {
  switch (storage.kind) {
    case "memory":
      return Pod.layerMemory(options, adapters)
    case "pglite":
      return Pod.layer(options).pipe(
        Layer.provideMerge(
          layerPglite(Effect.promise(storage.open), {
            ...(storage.reopen === undefined ? {} : { reopen: storage.reopen }),
            ...(storage.folder === undefined ? {} : { folder: storage.folder })
          })
        )
      )
    case "postgres":
      return Pod.layer(options).pipe(Layer.provideMerge("url" in storage ? postgresAt(storage) : ownPostgres(storage)))
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // A test reads the expected values from an untyped answer, and asserts on them.
  readonly body: any
}

/** A caller of the pod's HTTP surfaces with one credential. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>
  /** Sends a request to a path below the base URL, with `body` as JSON. */
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>
  ) => Promise<Answer>
  /** Calls a query procedure, below /trpc for a session and below /api/hub/trpc for a key. */
  readonly query: (path: string, input?: unknown) => Promise<Answer>
  readonly mutate: (path: string, input?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>
}

export interface TestPod {
  readonly baseUrl: string
  readonly owner: Caller
  readonly ownerId: string
  readonly stranger: Caller
  /** The caller that uses the operator's socket. Undefined if the pod has no socket. */
  readonly operator: Caller | undefined
  /** The folder of the socket. A command line can use it as the data directory. Undefined if the pod has no socket. */
  readonly dataDir: string | undefined
  readonly as: (headers: Readonly<Record<string, string>>) => Caller
  /** Adds another person and signs the person in. */
  readonly aPerson: (email?: string) => Promise<Caller & { readonly id: string }>
  /** Creates a workspace that belongs to the caller. Returns its id. */
  readonly aWorkspace: (caller: Caller, name?: string) => Promise<string>
  /** Creates a key of the caller. Without a grant in `order` the key has full access. */
  readonly aKey: (
    caller: Caller,
    order?: Readonly<Record<string, unknown>>
  ) => Promise<Caller & { readonly id: string; readonly secret: string }>
  /** Runs an effect against the services of the pod. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, any>) => Promise<A>
  readonly stop: () => Promise<void>
}

/**
 * Every scope that allows at least one operation. The scope `probe` is not in the list, because it allows no operation
 * and only marks the writes of a key.
 */
export const openingScopes = mintableScopes.filter((scope) => scope !== "probe")

export const everyScope = ["hub-protocol.read", "hub-protocol.write", "mcp.read", "mcp.write"]

const callerAt =
  (baseUrl: string, socketPath?: string) =>
  (headers: Readonly<Record<string, string>>): Caller => {
    const send: Caller["send"] = async (method, path, body, more = {}) => {
      const answer = await exchange(
        baseUrl + path,
        method,
        { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }), ...more },
        body === undefined || typeof body === "string" ? body : JSON.stringify(body),
        socketPath
      )
      const { isJson, status, text } = answer
      return {
        status,
        get headers() {
          return answer.headers
        },
        body: isJson && text !== "" ? JSON.parse(text) : text
      }
    }
    const base = "authorization" in headers ? "/api/hub/trpc" : "/trpc"
    return {
      headers,
      send,
      query: (path, input) =>
        send(
          "GET",
          `${base}/${path}${input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`}`
        ),
      mutate: (path, input, more) => send("POST", `${base}/${path}`, input ?? {}, more)
    }
  }

/** Starts a pod with a signed-in owner. The test stops it. */
export const aPod = async (
  storage: Storage,
  overrides: Partial<SettingsShape> = {},
  hooks: PodHooks = {}
): Promise<TestPod> => {
  const settings = aSettings({
    port: 0,
    rateLimitPerMinute: 1_000_000,
    stopGraceSeconds: 0, // Tests stop their pod only after all answers, so the pod need not wait for requests.
    ...overrides
  })
  const options: PodOptions = {
    pepper,
    sessionSecret: Redacted.make("0123456789abcdefghijklmnopqrstuvwxyzABCDEF"),
    encryptionKey: Redacted.make(hooks.encryptionKey ?? "9876456789abcdefghijklmnopqrstuvwxyzABCDEF"),
    sessionSeconds: 3600,
    isProduction: settings.mode === "production",
    baseUrl: Option.getOrElse(settings.publicUrl, () => "http://localhost"),
    adminPath: settings.adminPath,
    shownSettings: shownSettingsOf({ settings, sourceOf: {} }),
    rateLimitPerMinute: settings.rateLimitPerMinute,
    searchMemoryBytes: settings.searchMemoryBytes,
    searchTimeout: hooks.searchPatience ?? Duration.infinity, // Without a limit, a slow index cannot make a test fail.
    isScopedRetrieval: settings.scopedRetrieval === "on",
    federation: { issuers: settings.oidcIssuers, audience: Option.getOrNull(settings.oidcAudience) },
    provisioningToken: Option.getOrUndefined(settings.provisioningToken),
    webhooks: hooks.webhooks ?? WebhookSettings.standard(settings.webhookAllow),
    models: modelOptionsOf(settings)
  }
  // The type is a union of three layers. Each of them provides the services that the surfaces (REST, procedures, MCP)
  // need.
  const pod = podOver(storage, options, hooks) as unknown as Layer.Layer<any>
  const runtime = ManagedRuntime.make(Layer.provideMerge(pod, hooks.logging ?? Layer.empty))
  const scope = Effect.runSync(Scope.make())
  const folder = hooks.hasSocket === true ? mkdtempSync(join(tmpdir(), "pod-socket-")) : undefined
  const listening = Effect.map(
    Layer.buildWithScope(
      Layer.provide(
        Serve.layer(
          settings,
          { ...standardTimes, ...hooks.streams },
          {
            ...(folder === undefined ? {} : { adminSocket: join(folder, "admin.sock") }),
            ...(hooks.requestTimes === undefined ? {} : { requestTimes: hooks.requestTimes })
          }
        ),
        NodeFileSystem.layer
      ),
      scope
    ),
    Context.get(Server)
  )
  const { port } = await runtime.runPromise(listening as Effect.Effect<typeof Server.Service, unknown>)
  const baseUrl = `http://127.0.0.1:${port}`
  const as = callerAt(baseUrl)
  const stranger = as({})
  const run: TestPod["run"] = (effect) => runtime.runPromise(effect as any)

  const signedIn = async (email: string, password: string) => {
    const { body, status } = await stranger.send("POST", "/auth/sign-in", { email, password })
    if (status !== 200) throw new Error(`sign-in answered ${status}: ${JSON.stringify(body)}`)
    return { ...as({ "x-session-token": body.token }), id: body.user.id as string }
  }
  const claim = { email: ownerEmail, password: Redacted.make(ownerPassword), name: "Owner" }
  await run(
    Effect.gen(function* () {
      const people = yield* People
      if (!(yield* people.hasOwner)) yield* people.claim(claim)
      if (hooks.isStarting !== true) yield* Effect.flatMap(Readiness, ({ finishStart }) => finishStart)
    })
  )
  const owner = await signedIn(ownerEmail, ownerPassword)
  let people = 0
  let keys = 0

  return {
    baseUrl,
    owner,
    ownerId: owner.id,
    stranger,
    dataDir: folder,
    operator: folder === undefined ? undefined : callerAt(baseUrl, join(folder, "admin.sock"))({}),
    as,
    aPerson: async (email = `person${++people}@example.com`) => {
      const person = { email, password: Redacted.make(ownerPassword), name: email.split("@")[0] }
      await run(Effect.flatMap(People, (service) => service.addPerson(person)))
      return signedIn(email, ownerPassword)
    },
    aWorkspace: async (caller, name = "Workspace") => {
      const { body } = await caller.send("POST", "/api/hub/workspaces/from-definition", { workspaceName: name })
      return body.workspaceId as string
    },
    aKey: async (caller, order = {}) => {
      const { body, status } = await caller.mutate("apiKeys.create", {
        keyName: `key ${++keys}`,
        scope: everyScope,
        grant: { permissions: ["*"] },
        ...order
      })
      if (status !== 200) throw new Error(`apiKeys.create answered ${status}: ${JSON.stringify(body)}`)
      const { id, key } = body.result.data
      return { ...as({ authorization: `Bearer ${key}` }), id, secret: key }
    },
    run,
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
      if (folder !== undefined) rmSync(folder, { recursive: true })
    }
  }
}

/**
 * A running pod on PGlite with helpers for the tests over HTTP: operations, credentials, checks of refusals, and a
 * check of the stored rows.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Catalog, type CatalogShape } from "../../src/doors/Catalog.ts"
import type { Operation, RestOperation } from "../../src/doors/Operation.ts"
import type { TestLog } from "../support/logs.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type Caller, openingScopes, type TestPod } from "../support/pod.ts"
import { aRawClient, type RawAnswer, type RawClient } from "../support/raw.ts"
import { bodyLimitBytes } from "./badInput.ts"
import { stateOf } from "./podState.ts"

export const corsOrigin = "https://app.example.com"

export const titleOf = ({ method, path }: RestOperation) => `${method} ${path}`

/**
 * Asserts that a program can read the refusal: the status is 400 to 499, and the body is an object with the text
 * `error`, and with `details` for 400.
 */
export const assertRefused = ({ body, headers, status, text }: RawAnswer, what: string, expected?: number) => {
  assert.isTrue(status >= 400 && status < 500, `${what} answered ${status}: ${text}`)
  if (expected !== undefined) assert.strictEqual(status, expected, `${what}: ${text}`)
  assert.strictEqual(headers["content-type"], "application/json", what)
  // Below /v1 `error` is an object, as clients of OpenAI expect.
  const isObject = typeof body.error === "object"
  const message = isObject ? body.error.message : body.error
  assert.isString(message, what)
  assert.isNotEmpty(message, what)
  if (status === 400 && !isObject) assert.isArray(body.details, what)
  assertSilent(text, what)
}

/** Asserts that the answer shows no internals: no SQL statement, no path, no stack. */
export const assertSilent = (text: string, what: string) =>
  assert.notMatch(
    text,
    /\b(?:select|insert|update|delete) .*\b(?:from|into|set)\b|relation "|node_modules|\.ts:\d|\bat \S+ \(|\/src\//i,
    what
  )

/** Asserts that no log line contains one of these credentials, or a text that looks like a credential. */
export const assertNoSecrets = ({ lines }: TestLog, secrets: ReadonlyArray<string>) => {
  const text = JSON.stringify(lines)
  for (const secret of secrets) assert.notInclude(text, secret.replace(/^Bearer /, ""))
  assert.notMatch(text, /svc_(?:user|hub)_|bearer |password|authorization|x-session-token/i)
}

export interface Edge {
  readonly pod: TestPod
  readonly client: RawClient
  /** A key with full access. */
  readonly key: Caller & { readonly id: string; readonly secret: string }
  readonly entityId: string
  readonly catalog: CatalogShape
  /** The REST operations that accept a request body. */
  readonly takers: ReadonlyArray<RestOperation>
  /** Headers with a credential that may call this operation. */
  readonly passing: (operation: Operation) => Readonly<Record<string, string>>
  /** Returns a path of the operation with ids of existing records. */
  readonly pathOf: (operation: RestOperation) => string
  readonly close: () => Promise<void>
  /** Runs the work. Fails if a stored row changed. */
  readonly changingNothing: (work: () => Promise<void>) => Promise<void>
  /** Asserts that the pod answers the next request, on the same connection unless the answer closed it. */
  readonly assertUsable: (answer: RawAnswer, what: string) => Promise<void>
}

export const anEdge = async (): Promise<Edge> => {
  const pod = await aPod({ kind: "pglite", open: () => anEmbedded() }, { bodyLimitBytes, corsOrigins: [corsOrigin] })
  const client = aRawClient(pod.baseUrl)
  const key = await pod.aKey(pod.owner, { scope: openingScopes })
  const entityId: string = (await pod.owner.send("POST", "/api/hub/entities", { title: "kept" })).body.id
  const catalog = await pod.run(Effect.flatMap(Catalog, ({ compiled }) => compiled))
  return {
    pod,
    client,
    key,
    entityId,
    catalog,
    takers: catalog.rest.filter(({ door, takesBody }) => takesBody && door._tag !== "Operator"),
    passing: ({ door }) => (door._tag === "Session" ? pod.owner.headers : key.headers),
    pathOf: ({ path }) => path.replace(":userId", pod.ownerId).replace(":key", "kept").replace(/:\w+/, entityId),
    close: async () => {
      client.close()
      await pod.stop()
    },
    changingNothing: async (work) => {
      const before = await stateOf(pod)
      await work()
      assert.strictEqual(await stateOf(pod), before)
    },
    assertUsable: async ({ headers, port }, what) => {
      const next = await client.send({ path: "/livez" })
      assert.strictEqual(next.status, 200, what)
      if (headers.connection !== "close") assert.strictEqual(next.port, port, what)
    }
  }
}

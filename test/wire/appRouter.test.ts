/**
 * The published TypeScript types of the procedures: valid client code compiles, invalid code does not, and the answers
 * of a pod fit the types.
 */
import { assert, describe, it } from "@effect/vitest"
import { createTRPCClient, httpBatchLink, TRPCClientError } from "@trpc/client"
import type { AppRouter } from "pod/app-router"
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll } from "vitest"
import { projectRoot } from "../support/migrations.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"

const run = promisify(execFile)

/** The source of a client project. The compiler must refuse each line after `@ts-expect-error`. */
const use = `
import { createTRPCClient, httpBatchLink, TRPCClientError } from "@trpc/client"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"
import type { AppRouter, Entity, Event, Proposed } from "pod/app-router"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(): T | undefined => undefined

const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: "http://localhost:8787/trpc" })] })

export const inputs = async () => {
  await client.svc.me.query()
  await client.svc.me.query({})
  await client.entities.getEntities.query()
  await client.entities.getEntities.query({ profileSlug: "note", limit: 5, workspaceId: undefined })
  await client.apiKeys.create.mutate({
    keyName: "reader",
    scope: ["hub-protocol.read"],
    grant: { permissions: ["entity.note.read"] }
  })

  // @ts-expect-error a procedure without an input takes no field
  await client.svc.me.query({ verbose: true })
  // @ts-expect-error a field that the procedure does not know
  await client.entities.getEntities.query({ limmit: 5 })
  // @ts-expect-error a text where a number belongs
  await client.entities.getEntities.query({ limit: "5" })
  // @ts-expect-error a scope that does not exist
  await client.apiKeys.create.mutate({ keyName: "reader", scope: ["hub.read"], grant: { permissions: [] } })
  // @ts-expect-error an input that is needed
  await client.apiKeys.create.mutate()
  // @ts-expect-error a query is no mutation
  await client.svc.me.mutate()
  // @ts-expect-error a procedure that does not exist
  await client.entities.getAll.query()
}

export const answers = async () => {
  const [entity] = await client.entities.getEntities.query()
  if (entity !== undefined) {
    holds<Same<typeof entity.createdAt, string>>()
    holds<Same<typeof entity.workspaceId, string | null>>()
    // @ts-expect-error times travel as texts
    entity.createdAt.getTime()
  }
  const { key } = await client.apiKeys.rotate.mutate({ keyId: "0198c0de-0000-7000-8000-000000000000" })
  holds<Same<typeof key, string>>()
  const logged = await client.events.log.mutate({} as Inputs["events"]["log"])
  if ("proposalId" in logged) holds<Same<typeof logged.reviewPath, string>>()
}

export const watching = async () => {
  for await (const { data, id } of client.events.stream.subscribe({ type: "entity.create", lastEventId: null })) {
    holds<Same<typeof id, string>>()
    holds<typeof data extends Event ? true : false>()
    holds<Same<typeof data.seq, number>>()
  }
  client.events.stream.subscribe(undefined, { onData: ({ data }) => void data.seq }).unsubscribe()
  // @ts-expect-error a field that the subscription does not know
  client.events.stream.subscribe({ since: "x" }, { onData: () => undefined })
  // @ts-expect-error a subscription is no query
  await client.events.stream.query()
}

type Inputs = inferRouterInputs<AppRouter>
type Outputs = inferRouterOutputs<AppRouter>
holds<Outputs["entities"]["getEntities"] extends ReadonlyArray<Entity> ? true : false>()
holds<Outputs["events"]["list"] extends ReadonlyArray<Event> ? true : false>()
holds<Extract<Outputs["events"]["log"], Proposed> extends never ? false : true>()

export const refusals = (cause: unknown) => {
  if (!(cause instanceof TRPCClientError)) return
  const { data } = cause as TRPCClientError<AppRouter>
  holds<Same<Exclude<typeof data, null | undefined>["httpStatus"], number>>()
  return data?.reason === "GRANT_DENIED" ? data.decisionId : undefined
}
`

const settings = (resolution: object) => ({
  compilerOptions: {
    strict: true,
    noEmit: true,
    // The published file contains only declarations, which the compiler would not check without this option.
    skipLibCheck: false,
    target: "ES2022",
    lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
    types: [],
    ...resolution
  },
  include: ["use.ts"]
})

describe("the published types of the procedures", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "pod-types-"))
    mkdirSync(join(folder, "node_modules"))
    symlinkSync(projectRoot, join(folder, "node_modules", "pod"))
    symlinkSync(join(projectRoot, "node_modules", "@trpc"), join(folder, "node_modules", "@trpc"))
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    writeFileSync(join(folder, "use.ts"), use)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    { module: "NodeNext", moduleResolution: "NodeNext" },
    { module: "ESNext", moduleResolution: "Bundler", exactOptionalPropertyTypes: true }
  ])(
    "with the module resolution $moduleResolution, the TypeScript project of a client compiles with correct calls and does not compile with wrong calls",
    async (resolution) => {
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings(resolution)))
      const compiler = join(projectRoot, "node_modules", "typescript", "bin", "tsc")
      const compilerOutput = await run(process.execPath, [compiler, "-p", folder]).then(
        () => "",
        (failure: { readonly stdout: string }) => failure.stdout
      )
      assert.strictEqual(compilerOutput, "")
    }
  )
})

describe("a typed client on a pod", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod.stop())

  const clientOf = (at: "/trpc" | "/api/hub/trpc", { headers }: Caller) =>
    createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: pod.baseUrl + at, headers: { ...headers } })] })

  it("a typed client can make a key with a session, and can list entities with this key", async () => {
    const made = await clientOf("/trpc", pod.owner).apiKeys.create.mutate({
      keyName: "reader",
      scope: ["hub-protocol.read"],
      grant: { permissions: ["entity.note.read"] }
    })
    await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: "A note" })
    await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "knowledge", title: "Knowledge" })
    const client = clientOf("/api/hub/trpc", pod.as({ authorization: `Bearer ${made.key}` }))
    const [entities, me] = await Promise.all([client.entities.getEntities.query({ limit: 10 }), client.svc.me.query()])
    assert.deepStrictEqual(
      entities.map(({ profileSlug, title }) => ({ profileSlug, title })),
      [{ profileSlug: "note", title: "A note" }]
    )
    assert.isString(entities[0]?.createdAt)
    assert.isObject(me)
  })

  it("if the pod refuses a call, a typed client gets an error with the fields of the published error type", async () => {
    const { key } = await clientOf("/trpc", pod.owner).apiKeys.create.mutate({
      keyName: "reader",
      scope: ["hub-protocol.read"],
      grant: { permissions: ["entity.note.read"] }
    })
    const client = clientOf("/api/hub/trpc", pod.as({ authorization: `Bearer ${key}` }))
    const failure = await client.events.log.mutate({} as never).catch((cause: unknown) => cause)
    assert.instanceOf(failure, TRPCClientError)
    const { data } = failure as TRPCClientError<AppRouter>
    assert.strictEqual(data?.code, "FORBIDDEN")
    assert.strictEqual(data?.reason, "SCOPE_MISSING")
    assert.deepStrictEqual(data?.required, ["hub-protocol.write"])
  })
})

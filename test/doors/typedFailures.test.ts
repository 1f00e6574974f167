/**
 * Errors are part of a declaration: a handler can fail only with these errors, and a typed client decodes each of them.
 * The compiler checks the types in this file, and these checks are a part of the tests.
 */
import {
  FetchHttpClient,
  HttpApi,
  HttpApiClient,
  type HttpApiEndpoint,
  HttpApiGroup,
  HttpClient,
  HttpClientRequest
} from "@effect/platform"
import { type Rpc, RpcGroup } from "@effect/rpc"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Either, Layer, Schema } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Declaration } from "../../src/doors/Declaration.ts"
import { mutation, NoInput, query, subscription } from "../../src/doors/DeclareProcedure.ts"
import { open, operatorOnly, sessionOnly, read, stream, write } from "../../src/doors/DeclareRest.ts"
import { tool } from "../../src/doors/DeclareTool.ts"
import {
  everybody,
  everyKind,
  fullGrant,
  operator,
  rows,
  signedIn,
  writes,
  writesAndReads
} from "../../src/doors/Door.ts"
import { conflictCodes, forbiddenCodes } from "../../src/doors/FailureCode.ts"
import {
  Broken,
  Conflict,
  type Failure,
  Forbidden,
  GrantDoorUnsupported,
  Invalid,
  MethodNotAllowed,
  NoProvider,
  NotFound,
  NotImplemented,
  TooLarge,
  TooMany,
  Unauthorized,
  Unavailable,
  UnsupportedMedia,
  UpstreamFailed,
  UpstreamTimedOut
} from "../../src/doors/Failure.ts"
import { failureAnswers } from "../../src/doors/FailureAnswer.ts"
import { type EndpointHandlers, implement, implementProcedures, implementTools } from "../../src/doors/Implement.ts"
import { wireAnswerOf } from "../../src/doors/WireAnswer.ts"
import { EntityApi } from "../../src/features/entities/EntityApi.ts"
import { KnowledgeApi } from "../../src/features/knowledge/KnowledgeApi.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aPod, type TestPod } from "../support/pod.ts"

type Handlers = EndpointHandlers<typeof EntityApi>
type MayFail<Name extends keyof Handlers, F> = F extends Effect.Effect.Error<ReturnType<Handlers[Name]>> ? true : false

// The cast is safe, because the type of this table lists exactly the keys of the table.
const codesOf = <C extends string>(table: Readonly<Record<C, string>>) => Object.keys(table) as Array<C>

const failures: ReadonlyArray<Failure> = [
  new Invalid({ faults: [{ path: "limit", message: "too large" }] }),
  new Unauthorized({ reason: "no_auth" }),
  new Unauthorized({ reason: "expired", keyIdPrefix: "01890a5d" }),
  ...codesOf(forbiddenCodes).map((code) => new Forbidden({ code, why: "no", required: ["a"], granted: [] })),
  new Forbidden({ code: "GRANT_DENIED", why: "no", required: [], granted: ["*"], decisionId: uuidv7() }),
  new Forbidden({
    code: "RULE_REFUSED",
    why: "no",
    required: [],
    granted: [],
    details: { status: "denied", reason: "no", clause: "when" }
  }),
  new GrantDoorUnsupported({ why: "no", required: ["*"], granted: [] }),
  new GrantDoorUnsupported({
    why: "no",
    required: ["*"],
    granted: [],
    guidance: { why: "no", alternatives: ["GET /entities"], fix: "https://pod.example/admin/keys/new", requestId: "1" },
    decisionId: uuidv7()
  }),
  new Forbidden({
    code: "GRANT_DENIED",
    why: "no",
    required: [],
    granted: [],
    guidance: { why: "no", alternatives: [], requestId: "1" }
  }),
  new NotFound({ why: "no" }),
  ...codesOf(conflictCodes).map((code) => new Conflict({ code, why: "no" })),
  new Conflict({ code: "PROPOSAL_CONFLICT", why: "no", details: [{ path: ["title"] }] }),
  new TooLarge({ why: "no" }),
  new UnsupportedMedia({ why: "no" }),
  new TooMany({ why: "no", retryAfterSeconds: 3 }),
  new Broken({ errorId: uuidv7() }),
  new NotImplemented({ why: "no" }),
  new Unavailable({ why: "no", retryAfterSeconds: 1 }),
  new MethodNotAllowed({ allowed: ["GET"] }),
  new NoProvider({ why: "no" }),
  new UpstreamFailed({ code: "unknown", why: "no", isRetryable: true }),
  new UpstreamTimedOut({ why: "no" })
]

const about = { success: Schema.Struct({}), summary: "A declaration of this test." }
const rowsRead = rows("mcp.read", "entity")
const created = writes("mcp.write", "entity", ["create"])
const createdAndRead = writesAndReads(created, everyKind("mcp.read", ["entity", "document"]))
const queried = { query: Schema.Struct({}), item: Schema.Struct({}) }
const title = "A tool of this test"

/** The declarations of this test. Each function that declares operations is called with several kinds of doors. */
const declared = {
  tools: {
    reads: tool("svc_reads", { ...about, title, input: NoInput, door: rowsRead }),
    finds: tool("svc_finds", { ...about, title, input: NoInput, door: fullGrant("mcp.read"), errors: [NotFound] }),
    writes: tool("svc_writes", { ...about, title, input: NoInput, door: created }),
    writesAndReads: tool("svc_writes_and_reads", { ...about, title, input: NoInput, door: createdAndRead })
  },
  endpoints: {
    openGet: open("openGet", { ...about, path: "/openGet", door: everybody("a test") }),
    openPost: open("openPost", { ...about, method: "POST", path: "/openPost", door: everybody("a test") }),
    read: read("read", { ...about, path: "/read", door: rowsRead, errors: [NotFound] }),
    readEveryKind: read("readEveryKind", { ...about, path: "/all", door: everyKind("mcp.read", ["entity"]) }),
    stream: stream("stream", { ...queried, summary: about.summary, path: "/stream", door: fullGrant("mcp.read") }),
    write: write("write", { ...about, method: "POST", path: "/write", door: created }),
    writeAndRead: write("writeAndRead", { ...about, method: "POST", path: "/both", door: createdAndRead }),
    personal: sessionOnly("personal", { ...about, method: "POST", path: "/personal", door: signedIn }),
    operated: operatorOnly("operated", { ...about, method: "POST", path: "/operated", door: operator("test", "test") })
  },
  procedures: {
    query: query("query", { ...about, input: NoInput, door: rowsRead }),
    queryEverything: query("queryEverything", { ...about, input: NoInput, door: fullGrant("mcp.read") }),
    queryOwn: query("queryOwn", { ...about, input: NoInput, door: signedIn }),
    subscription: subscription("subscription", { ...queried, input: NoInput, summary: about.summary, door: rowsRead }),
    mutation: mutation("mutation", { ...about, input: NoInput, door: created, errors: [NotImplemented] }),
    mutationAndRead: mutation("mutationAndRead", { ...about, input: NoInput, door: createdAndRead }),
    mutationOfOwn: mutation("mutationOfOwn", { ...about, input: NoInput, door: signedIn })
  }
}

/** A type whose keys are the names of these failures. An object of this type must have every name and no other key. */
type Names<F> = Readonly<Record<Extract<F, { readonly _tag: string }>["_tag"], true>>
type NamesOfTools = {
  readonly [K in keyof typeof declared.tools]: Names<NonNullable<(typeof declared.tools)[K]["Failure"]>>
}
type NamesOfEndpoints = {
  readonly [K in keyof typeof declared.endpoints]: Names<
    HttpApiEndpoint.HttpApiEndpoint.Error<(typeof declared.endpoints)[K]>
  >
}
type NamesOfProcedures = {
  readonly [K in keyof typeof declared.procedures]: Names<Rpc.Error<(typeof declared.procedures)[K]>>
}

const always = { Invalid: true, Broken: true, Unavailable: true } as const
const guarded = { ...always, Unauthorized: true, Forbidden: true, TooMany: true } as const
const changing = { ...guarded, TooLarge: true, UnsupportedMedia: true, Conflict: true } as const
const governed = { ...changing, NotFound: true } as const
const limiting = { GrantDoorUnsupported: true } as const
const missing = { NotFound: true } as const

const namesOfTools: NamesOfTools = {
  reads: guarded,
  finds: { ...guarded, ...limiting, ...missing },
  writes: governed,
  writesAndReads: { ...governed, ...limiting }
}
const namesOfEndpoints: NamesOfEndpoints = {
  openGet: always,
  openPost: changing,
  read: { ...guarded, ...missing },
  readEveryKind: { ...guarded, ...limiting },
  stream: { ...guarded, ...limiting },
  write: governed,
  writeAndRead: { ...governed, ...limiting },
  personal: changing,
  operated: changing
}
const namesOfProcedures: NamesOfProcedures = {
  query: guarded,
  queryEverything: { ...guarded, ...limiting },
  queryOwn: guarded,
  subscription: guarded,
  mutation: { ...governed, NotImplemented: true },
  mutationAndRead: { ...governed, ...limiting },
  mutationOfOwn: governed
}

/** Returns the names of the errors that a declaration lists, each once. */
const listedIn = (errors: ReadonlyArray<{ readonly _tag: string }>) => [...new Set(errors.map(({ _tag }) => _tag))]
const errorsOf = ({ annotations }: { readonly annotations: Context.Context<never> }) =>
  listedIn(Context.unsafeGet(annotations as Context.Context<Declaration>, Declaration).errors)

const fails =
  <E>(failure: E) =>
  () =>
    Effect.fail(failure)
const absent = fails(new NotFound({ why: "no" }))
const taken = fails(new Conflict({ code: "VERSION_CONFLICT", why: "no" }))
const broken = fails(new Broken({ errorId: uuidv7() }))
const unlimited = fails(new GrantDoorUnsupported({ why: "no", required: [], granted: [] }))

describe("the errors that an operation declares", () => {
  it("the handler type of each tool allows exactly the errors that the tool declares", () => {
    for (const [name, { declared: listed }] of Object.entries(declared.tools))
      assert.sameMembers(listedIn(listed.errors), Object.keys(namesOfTools[name as keyof NamesOfTools]), name)
  })

  it("the handler type of each REST operation allows exactly the errors that the operation declares", () => {
    for (const [name, endpoint] of Object.entries(declared.endpoints)) {
      const names = Object.keys(namesOfEndpoints[name as keyof NamesOfEndpoints])
      assert.sameMembers(errorsOf(endpoint), names, name)
    }
  })

  it("the handler type of each procedure allows exactly the errors that the procedure declares", () => {
    for (const [name, procedure] of Object.entries(declared.procedures)) {
      const names = Object.keys(namesOfProcedures[name as keyof NamesOfProcedures])
      assert.sameMembers(errorsOf(procedure), names, name)
    }
  })

  it("a handler for a read tool does not compile if the handler fails with `NotFound` and the tool does not declare this error", () => {
    const { finds, reads, writes } = declared.tools
    implementTools([finds, writes], Effect.succeed({ svc_finds: absent, svc_writes: absent }))
    // @effect-diagnostics missingEffectError:off
    // @ts-expect-error The tool reads, and does not declare NotFound.
    assert.isTrue(Layer.isLayer(implementTools([reads], Effect.succeed({ svc_reads: absent }))))
    // @effect-diagnostics missingEffectError:error
  })

  it("a handler for a public operation with the method GET does not compile if the handler fails with `Conflict`", () => {
    const changes = HttpApiGroup.make("test").add(declared.endpoints.openPost)
    implement(changes, Effect.succeed({ openPost: taken }))
    const gets = HttpApiGroup.make("test").add(declared.endpoints.openGet)
    implement(gets, Effect.succeed({ openGet: broken }))
    // @effect-diagnostics missingEffectError:off
    // @ts-expect-error The operation is a GET, and a GET never answers with a conflict.
    assert.isTrue(Layer.isLayer(implement(gets, Effect.succeed({ openGet: taken }))))
    // @effect-diagnostics missingEffectError:error
  })

  it("a handler that fails with `GrantDoorUnsupported` compiles for a procedure that writes and reads several kinds of record, but not for a procedure that only writes", () => {
    const both = RpcGroup.make(declared.procedures.mutationAndRead)
    implementProcedures(both, Effect.succeed({ mutationAndRead: unlimited }))
    const changes = RpcGroup.make(declared.procedures.mutation)
    // @effect-diagnostics missingEffectError:off
    // @ts-expect-error The door of this procedure only writes.
    assert.isTrue(Layer.isLayer(implementProcedures(changes, Effect.succeed({ mutation: unlimited }))))
    // @effect-diagnostics missingEffectError:error
  })

  it("the handler of an operation such as `entities.get` does not compile if the handler fails with an error that the operation does not declare", () => {
    const declares: MayFail<"entities.get", NotFound> = true
    // @ts-expect-error The operation entities.get does not declare NotImplemented.
    const undeclared: MayFail<"entities.get", NotImplemented> = true
    assert.deepStrictEqual([declares, undeclared], [true, true])
    assert.deepStrictEqual(
      ["entities.get", "entities.list", "entities.delete"].map((name) => {
        const errors = errorsOf(EntityApi.endpoints[name])
        return [errors.includes("NotFound"), errors.includes("GrantDoorUnsupported")]
      }),
      [
        [true, false],
        [false, true],
        [true, false]
      ]
    )
  })

  it("a program that makes an error with an unknown error code does not compile, and the constructor of the error throws at run time", () => {
    const code = "GRANT_DENIED"
    assert.doesNotThrow(() => new Forbidden({ code, why: "no", required: [], granted: [] }))
    const unknown = "NO_SUCH_CODE"
    // @ts-expect-error There is no such code.
    assert.throws(() => new Forbidden({ code: unknown, why: "no", required: [], granted: [] }), /"NO_SUCH_CODE"/)
  })
})

describe("the schema of a failure", () => {
  it("the tests of the schemas of failures have an example of every class of failure", () => {
    assert.sameMembers([...new Set(failures.map(({ _tag }) => _tag))], Object.keys(failureAnswers))
  })

  it("the schema of each failure gives the same body and status as the answer of the pod for this failure", () => {
    for (const failure of failures) {
      const { schema, status } = failureAnswers[failure._tag]
      const encode = Schema.encodeSync(schema as Schema.Schema<Failure, unknown>)
      assert.deepStrictEqual(encode(failure), wireAnswerOf(failure).body, failure._tag)
      assert.strictEqual(status, wireAnswerOf(failure).status, failure._tag)
    }
  })

  it("the schema of each failure decodes the body of an answer into the same class of failure, and encodes this failure into the same body", () => {
    for (const failure of failures) {
      const decode = Schema.decodeUnknownEither(
        failureAnswers[failure._tag].schema as Schema.Schema<Failure, unknown>,
        {
          onExcessProperty: "error"
        }
      )
      const read = decode(JSON.parse(JSON.stringify(wireAnswerOf(failure).body)))
      if (Either.isLeft(read)) return assert.fail(`${failure._tag}: ${read.left.message}`)
      assert.strictEqual(read.right._tag, failure._tag)
      // A client reads the allowed methods from a header. The body contains them only in its message text.
      if (read.right._tag === "MethodNotAllowed") continue
      assert.deepStrictEqual(JSON.stringify(wireAnswerOf(read.right).body), JSON.stringify(wireAnswerOf(failure).body))
    }
  })
})

describe("a typed client of a running pod", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod.stop())

  const api = HttpApi.make("hub").add(EntityApi).add(KnowledgeApi)
  const client = (headers: Readonly<Record<string, string>>) =>
    HttpApiClient.make(api, {
      baseUrl: `${pod.baseUrl}/api/hub`,
      transformClient: HttpClient.mapRequest(HttpClientRequest.setHeaders(headers))
    })
  const failed = <A, E>(work: Effect.Effect<A, E, HttpClient.HttpClient>) =>
    Effect.runPromise(Effect.provide(Effect.flip(work), FetchHttpClient.layer))

  it("a typed client gets a refusal, a conflict or an invalid input as an error of the class that the operation declares", async () => {
    const id = uuidv7()
    const get = (headers: Readonly<Record<string, string>>) =>
      failed(Effect.flatMap(client(headers), ({ entities }) => entities["entities.get"]({ path: { id } })))
    const unauthorized = await get({})
    assert.instanceOf(unauthorized, Unauthorized)
    assert.propertyVal(unauthorized, "reason", "no_auth")
    assert.instanceOf(await get(pod.owner.headers), NotFound)
    const narrow = await pod.aKey(pod.owner, { scope: ["mcp.read"] })
    const forbidden = await get(narrow.headers)
    assert.instanceOf(forbidden, Forbidden)
    assert.propertyVal(forbidden, "code", "SCOPE_MISSING")
    const limited = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
    const unsupported = await failed(
      Effect.flatMap(client(limited.headers), ({ knowledge }) =>
        knowledge["knowledge.list"]({ urlParams: { limit: 1, offset: 0 } })
      )
    )
    assert.instanceOf(unsupported, GrantDoorUnsupported)
    assert.propertyVal(unsupported, "code", "GRANT_DOOR_UNSUPPORTED")
    const made = await pod.owner.send("POST", "/api/hub/entities", { title: "Kept" })
    const conflict = await failed(
      Effect.flatMap(client(pod.owner.headers), ({ entities }) =>
        entities["entities.update"]({ path: { id: made.body.id }, payload: { title: "Changed", version: 9 } })
      )
    )
    assert.instanceOf(conflict, Conflict)
    assert.propertyVal(conflict, "code", "VERSION_CONFLICT")
    const invalid = await failed(
      Effect.flatMap(client(pod.owner.headers), ({ entities }) =>
        entities["entities.create"]({ payload: { title: "Filed", projectId: id } })
      )
    )
    assert.instanceOf(invalid, Invalid)
    assert.deepStrictEqual(
      invalid.faults.map(({ path }) => path),
      ["projectId"]
    )
  })
})

/**
 * Errors are part of a declaration: a handler can fail only with declared errors, and a typed client decodes each of
 * them.
 */
import { FetchHttpClient, HttpApi, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import { afterAll, beforeAll } from "vitest"
import { conflictCodes, forbiddenCodes } from "../../src/doors/FailureCode.ts"
import {
  Broken,
  Conflict,
  type Failure,
  Forbidden,
  GrantDoorUnsupported,
  Invalid,
  NotFound,
  NotImplemented,
  TooLarge,
  TooMany,
  Unauthorized,
  Unavailable,
  UnsupportedMedia
} from "../../src/doors/Failure.ts"
import { failureAnswers } from "../../src/doors/FailureAnswer.ts"
import type { EndpointHandlers } from "../../src/doors/Implement.ts"
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
  new Unavailable({ why: "no", retryAfterSeconds: 1 })
]

describe("the errors of a declaration", () => {
  it("a handler that fails with an undeclared error does not compile", () => {
    const declared: MayFail<"entities.get", NotFound> = true
    const undeclared: MayFail<"entities.get", NotImplemented> = false
    assert.deepStrictEqual([declared, undeclared], [true, false])
  })

  it("the declared failures of the operation `entities.list` include GrantDoorUnsupported, and those of `entities.delete` do not", () => {
    const declares: MayFail<"entities.list", GrantDoorUnsupported> = true
    const opened: MayFail<"entities.delete", GrantDoorUnsupported> = false
    assert.deepStrictEqual([declares, opened], [true, false])
  })

  it("code that makes an error with an unknown code does not compile", () => {
    // @ts-expect-error There is no such code.
    assert.throws(() => new Forbidden({ code: "NO_SUCH_CODE", why: "no", required: [], granted: [] }))
  })
})

describe("the schema of a failure", () => {
  it("the schema of each failure gives the same body and status that every surface sends for this failure", () => {
    for (const failure of failures) {
      const { schema, status } = failureAnswers[failure._tag]
      const encode = Schema.encodeSync(schema as Schema.Schema<Failure, unknown>)
      assert.deepStrictEqual(encode(failure), wireAnswerOf(failure).body, failure._tag)
      assert.strictEqual(status, wireAnswerOf(failure).status, failure._tag)
    }
  })

  it("the schema of each failure decodes the body of an answer into a failure of the same class, which encodes to the same body again", () => {
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
      if (read.right._tag === "TooMany" || read.right._tag === "Unavailable") continue
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

  it("a typed client gets each refusal of the pod as an error of the declared class", async () => {
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
    assert.deepInclude(invalid, { _tag: "Invalid" })
  })
})

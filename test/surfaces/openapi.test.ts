/** Compares the API description with a running pod: its answers and refusals must be as described. */
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { describeApi } from "../../src/Description.ts"
import {
  Broken,
  Conflict,
  Forbidden,
  invalid,
  NotFound,
  TooLarge,
  TooMany,
  Unauthorized,
  Unavailable,
  UnsupportedMedia
} from "../../src/doors/Failure.ts"
import { wireAnswerIn } from "../../src/doors/Dialect.ts"
import { failureReference } from "../../src/surfaces/OpenApiFailures.ts"
import {
  schemaDifferences,
  document,
  declaredContents,
  exampleIn,
  operationNamed,
  parametersOf,
  undescribedFields,
  unusedId,
  operations,
  resolveReference,
  type Response,
  credentialsOf,
  text
} from "./promises.ts"

/**
 * These operations use POST but store no record, or send messages that the pod does not keep. So an idempotency key
 * would be useless for these operations.
 */
const readsByPost = new Set([
  "centrality.recompute",
  "chat.turn",
  "externalSkills.invoke",
  "federation.oidcConfig",
  "memory.forgetPreview",
  "memory.search",
  "n8n.analyze",
  "n8n.search",
  "openai.complete",
  "retrieval.answer",
  "retrieval.ask",
  "retrieval.recall",
  "retrieval.entities",
  "resolve.titles",
  "retrieval.search",
  "rules.classify",
  "rules.parse"
])

/**
 * In these examples an embedding has only three numbers, so that people can read it. The pod refuses an embedding that
 * is so short.
 */
const shortened = new Set(["memory.search body"])

describe("the API description", () => {
  it("every operation of the API description has a unique name, a summary, an access rule and a description of each parameter", () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.lengthOf(new Set(names), names.length)
    for (const { operation } of operations) {
      assert.isAbove(operation.summary.length, 10, operation.operationId)
      // If an operation has no scope or no permissions, its description must explain in words who may call it.
      const isOrdinary = operation["x-pod-scope"] !== undefined && operation["x-pod-permissions"] !== undefined
      if (!isOrdinary) assert.isAbove(operation.description?.length ?? 0, 10, operation.operationId)
      for (const { name, description } of parametersOf(operation)) {
        assert.isString(description, `${operation.operationId}: say what ${name} means, where it is declared`)
      }
    }
  })

  it("every group of the API description has a description", () => {
    for (const { name, description } of document.tags) {
      assert.notStrictEqual(description, `Operations of ${name}.`, `Describe the group ${name} where it is declared.`)
    }
  })

  it("the API description lists the credentials that an operation accepts, and no credential for a public operation", () => {
    const taken = (name: string) => credentialsOf(operationNamed(name).operation)
    assert.deepStrictEqual(taken("probes.live"), [])
    assert.deepStrictEqual(taken("auth.signOut"), ["session"])
    assert.deepStrictEqual(taken("entities.create"), ["bearer", "session"])
    assert.deepInclude(operationNamed("knowledge.put").operation, {
      "x-pod-scope": "hub-protocol.write",
      "x-pod-permissions": ["entity.knowledge.create", "entity.knowledge.update", "entity.knowledge.read"]
    })
  })

  it("the API description lists the idempotency key header for exactly those writes that need a credential and do no slow work", () => {
    const slow = new Set(["backups.create", "connectors.probe", "providers.probe"])
    for (const { method, operation } of operations) {
      const isOffered = parametersOf(operation).some(({ name }) => name === "Idempotency-Key")
      const isRead = method === "GET" || readsByPost.has(operation.operationId)
      const isRepeatable = !isRead && !slow.has(operation.operationId) && credentialsOf(operation).length > 0
      assert.strictEqual(isOffered, isRepeatable, operation.operationId)
    }
  })

  it("every reference in the API description has a target, and every component is referenced", () => {
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference))
    for (const reference of references) assert.isDefined(resolveReference({ $ref: reference }), reference)
    for (const kind of ["schemas", "parameters", "headers", "responses"]) {
      for (const name of Object.keys(document.components[kind]))
        assert.isTrue(references.has(`#/components/${kind}/${name}`), name)
    }
    assert.notInclude(text, "$id")
    assert.notInclude(text, "HttpApiDecodeError")
  })

  it("if the pod has a public address, the API description contains this address", () => {
    assert.deepStrictEqual(
      describeApi("https://pod.example.com/team/").servers.map(({ url }) => url),
      ["/", "https://pod.example.com/team"]
    )
  })

  it("every request body and every JSON answer in the API description has an example that the schema of the operation accepts", () => {
    for (const { name, schema, media } of declaredContents) {
      const shownExample = exampleIn(media)
      assert.isDefined(shownExample, `${name} shows no example`)
      assert.deepStrictEqual(schemaDifferences(media.schema, shownExample), [], name)
      if (shortened.has(name)) continue
      const decoded = Schema.decodeUnknownEither(schema)(shownExample)
      assert.isTrue(Either.isRight(decoded), `${name}: ${Either.isLeft(decoded) ? decoded.left.message : ""}`)
    }
    assert.isAbove(declaredContents.length, 180)
  })

  it("every field in the API description has a description, except fields with clear names", () => {
    assert.strictEqual(undescribedFields.join(" "), "")
  })

  it("if an answer contains all fields of a second answer, the API description refers to the second answer and does not repeat the common fields", () => {
    const schemas = document.components["schemas"] as Readonly<
      Record<string, { readonly allOf?: ReadonlyArray<object> }>
    >
    const bases = [
      ["Track", "StoredRecord"],
      ["EntityWritten", "Entity"],
      ["ProposalDetail", "Proposal"],
      ["Document", "DocumentHead"]
    ] as const
    for (const [name, base] of bases) {
      assert.deepStrictEqual(schemas[name].allOf?.[0], { $ref: `#/components/schemas/${base}` }, name)
    }
    assert.notInclude(text, '"anyOf":[{"$ref":"#/components/schemas/FocusSessionId"},{"type":"null"}]')
  })

  it("a parameter that several operations share is described only once in the API description", () => {
    const whole = operations.flatMap(({ operation }) => operation.parameters.filter((each) => !("$ref" in each)))
    assert.lengthOf(new Set(whole.map((each) => JSON.stringify(each))), whole.length)
  })

  it("every operation of the API description lists the status codes that follow from its credentials, its method and its body", () => {
    const listed = ({ responses }: { readonly responses: Readonly<Record<string, object>> }) => Object.keys(responses)
    for (const { method, operation } of operations) {
      const isGuarded = credentialsOf(operation).length > 0
      const readsBody = operation.requestBody !== undefined || method !== "GET"
      const name = operation.operationId
      assert.notInclude(listed(operation), "default", name)
      for (const status of ["200", "400", "500", "503"]) assert.include(listed(operation), status, name)
      for (const status of ["401", "403", "429"]) {
        if (isGuarded) assert.include(listed(operation), status, name)
        else if (method === "GET") assert.notInclude(listed(operation), status, name)
      }
      for (const status of ["413", "415"]) assert.strictEqual(listed(operation).includes(status), readsBody, name)
    }
    for (const [path, response] of Object.entries(operationNamed("entities.get").operation.responses)) {
      if (path !== "200") assert.deepStrictEqual(response, { $ref: `#/components/responses/E${path}` })
    }
    assert.deepStrictEqual(listed(operationNamed("entities.get").operation), [
      "200",
      "400",
      "401",
      "403",
      "404",
      "429",
      "500",
      "503"
    ])
  })

  it("the average number of bytes of the API description for each operation stays below a fixed limit", () => {
    assert.isBelow(Buffer.byteLength(text) / operations.length, 2_206)
  })

  it("the body that the pod sends for each failure fits the schema of this failure in the API description", () => {
    const failures = [
      invalid("", "no"),
      new Unauthorized({ reason: "no_auth" }),
      new Unauthorized({ reason: "expired", keyIdPrefix: "01890a5d" }),
      new Forbidden({ code: "GRANT_DENIED", why: "no", required: [], granted: ["*"] }),
      new NotFound({ why: "no" }),
      new Conflict({ code: "VERSION_CONFLICT", why: "no" }),
      TooLarge.bytes(1),
      new UnsupportedMedia({ why: "no" }),
      new TooMany({ why: "no", retryAfterSeconds: 1 }),
      new Broken({ errorId: unusedId }),
      new Unavailable({ why: "no", retryAfterSeconds: 1 })
    ]
    for (const failure of failures) {
      for (const dialect of ["hub", "plain", "openai"] as const) {
        const { status, body, headers } = wireAnswerIn(dialect, failure)
        const response = resolveReference(failureReference(String(status), dialect)[1]) as Response | undefined
        // The pod has three forms of failure answers. For the forms `plain` and `openai`, the document describes only
        // those failures that an operation can return.
        if (dialect !== "hub" && response === undefined) continue
        assert(response !== undefined)
        const { example, schema } = response.content["application/json"]
        assert.deepStrictEqual(schemaDifferences(schema, body), [], `${failure._tag} ${dialect}`)
        if (dialect === "hub") assert.deepStrictEqual(schemaDifferences(schema, example), [], failure._tag)
        for (const header of Object.keys(headers ?? {})) assert.property(response.headers ?? {}, header, failure._tag)
      }
    }
  })
})

/**
 * The descriptions of the API, made from its declarations: `/openapi.json`, which is also committed to the repository,
 * and `/docs/catalog.json`.
 */
import { HttpApi, OpenApi } from "@effect/platform"
import { Option, Schema } from "effect"
import { declarationIn } from "./doors/Declaration.ts"
import { exampleOf } from "./doors/Fields.ts"
import { dialectOf } from "./doors/Dialect.ts"
import { restHeaderFields } from "./doors/HeaderFields.ts"
import { fieldFinder } from "./doors/UnknownFields.ts"
import { acceptsNothing } from "./doors/InputReader.ts"
import { hubMount, hubMountAlias } from "./doors/Mounts.ts"
import { HubApi } from "./HubApi.ts"
import { Procedures } from "./Procedures.ts"
import { type CatalogDocument, catalogDocument } from "./surfaces/CatalogDocument.ts"
import {
  type DraftDocument,
  openApiDocument,
  type OpenApiDocument,
  type WrittenParts
} from "./surfaces/OpenApiDocument.ts"
import type { OperationWithExample } from "./surfaces/OpenApiOperation.ts"
import { Tools } from "./Tools.ts"
import { version } from "./Version.ts"

const about = `A pod keeps the knowledge of a team. Apps, scripts and agents call the pod with keys.

**Access.** A *scope* says which operations a credential may call. The *grant* of a key says which records the key may touch. \`x-pod-scope\` and \`x-pod-permissions\` show what each operation needs; a refusal also shows what the credential has. A read returns only the records that the grant covers, and a write needs a grant that covers the written record. The grant \`*\` means every permission, without limits. The description of an operation names its exceptions.

**Words.** An *entity kind* is a profile, named by its slug. A *role* (facet) is a second profile of an entity; the *membership role* of a person is viewer, editor, admin or owner. A *space* is a workspace, or the *personal space* of one person.

**Credentials.** Send a key as \`Authorization: Bearer svc_…\`, or a sign-in token as \`X-Session-Token\`. Never send a credential in a URL.

**Headers.** Every answer has \`X-Request-Id\`. An answer to a call with a credential has the rate limit of the credential (\`RateLimit-*\`) and, in the last 14 days before a key expires, \`X-Key-Expires-Soon\` and \`X-Key-Expires-At\`.

**Failures.** A failure is a JSON object with a text \`error\`. If the credential may not read a record, the answer is 404, as if the record did not exist.

**Unknown fields.** The pod refuses an unknown field of a body or query with 400 and names the nearest known field. With \`Prefer: handling=lenient\` the pod ignores unknown fields and names them in \`X-Svc-Ignored-Fields\`, except in requests that give or narrow rights. Health checks and the manifest ignore every query parameter. In a write with a key, \`userId\` and \`agentUserId\` can only be the id of the caller; a read ignores both in its path and query.

**Repeating a write.** A write with \`Idempotency-Key\` can be sent again without a second effect. The pod then returns the stored answer with \`X-Idempotent-Replay\`.

**Parts.** \`/openapi.json?tag=entities\` has only the operations of one tag, with their schemas.

Every route below \`${hubMount}\` also works below \`${hubMountAlias}\`.`

const writtenParts: WrittenParts = {
  info: {
    title: "Pod",
    version,
    summary: "A server for a team's knowledge. No key allows more than the person who owns the key may do.",
    description: about,
    contact: { name: "The operator of this pod" },
    license: { name: "Unlicensed, all rights reserved", identifier: "LicenseRef-Unlicensed" }
  }
}

const declarations = (): ReadonlyMap<string, OperationWithExample> => {
  const found = new Map<string, OperationWithExample>()
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, payloads }) => {
      const declared = declarationIn(mergedAnnotations)
      if (Option.isNone(declared)) return
      if (found.has(declared.value.name)) throw new Error(`Two REST operations are called ${declared.value.name}.`)
      const [payload] = payloads.values()
      const example = payload === undefined ? undefined : exampleOf(payload.ast)
      const isBodyOptional = payload !== undefined && acceptsNothing(Schema.make(payload.ast))
      const names = payload === undefined ? new Set<string>() : fieldFinder(payload.ast).names
      const headerFields = restHeaderFields(endpoint.method, dialectOf(endpoint.path), names)
      found.set(declared.value.name, { ...declared.value, example, isBodyOptional, headerFields })
    }
  })
  return found
}

/**
 * Makes the OpenAPI 3.1 document. `publicUrl` is the public address of the pod, if the pod has one. The document in the
 * repository has no address.
 */
export const describeApi = (publicUrl?: string): OpenApiDocument =>
  // `DraftDocument` is a part of the document that `@effect/platform` makes. The type of the library lists every
  // keyword of OpenAPI, but `DraftDocument` has only the few that this code reads.
  openApiDocument(OpenApi.fromApi(HubApi) as unknown as DraftDocument, declarations(), writtenParts, publicUrl)

/** Describes the RPC procedures and the MCP tools, because an OpenAPI document cannot describe them. */
export const describeCatalog = (): CatalogDocument =>
  catalogDocument([
    ...[...Procedures.requests.values()].map((request) => ({
      // The start of the pod refuses a procedure without a declaration, so a missing declaration is a bug.
      ...Option.getOrThrow(declarationIn(request.annotations)),
      surface: "procedure" as const,
      input: request.payloadSchema
    })),
    ...Tools.map(({ declared, input }) => ({ ...declared, surface: "tool" as const, input }))
  ])

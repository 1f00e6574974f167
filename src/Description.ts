/** The descriptions of the API, made from its declarations: `/openapi.json`, which the repository keeps too, and `/docs/catalog.json`. */
import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import { Declaration, type OperationProperties } from "./doors/Declare.ts"
import { exampleOf } from "./doors/Fields.ts"
import { HubApi, hubMount, hubMountAlias } from "./HubApi.ts"
import { Procedures } from "./Procedures.ts"
import { type CatalogDocument, catalogDocument } from "./surfaces/CatalogDocument.ts"
import {
  type DraftDocument,
  openApiDocument,
  type OpenApiDocument,
  type WrittenParts
} from "./surfaces/OpenApiDocument.ts"
import { Tools } from "./Tools.ts"
import { version } from "./Version.ts"

const about = `One pod keeps what a team knows and lets apps, scripts and agents in through keys that never do more than the person behind them.

**Passing a door.** Every operation states what it takes: a *scope* says which operations a credential may call at all, the *grant* of a key says what it may touch, and no key ever does more than its person may. \`x-pod-scope\` and \`x-pod-permissions\` say it for each operation, and a refusal says it again with what the credential has. A read with permissions answers the rows that the grant reads, and a write needs a grant that covers what it writes; an operation that works otherwise says so.

**Credentials.** Send a key as \`Authorization: Bearer svc_…\`, or a sign-in token as \`X-Session-Token\`. Never put either in a URL.

**Headers.** Every answer carries \`X-Request-Id\`. Every answer to a credential says what is left of its allowance (\`RateLimit-Limit\`, \`-Remaining\`, \`-Reset\`, \`-Policy\`), and in the last 14 days of a key when it ends (\`X-Key-Expires-Soon\`, \`X-Key-Expires-At\`). Where fields were ignored because the request preferred it, \`Preference-Applied\` and \`X-Svc-Ignored-Fields\` say so. An operation lists the headers of its own.

**Failures.** Each is a JSON object with a text \`error\`. An operation lists every status that it can answer, and the body of 403 and 409 every \`code\`. What a credential may not read does not exist for it: 404.

**Unknown fields.** A field of a body or a query that an operation does not know is refused with 400 and the nearest known name, so that nothing misspelt gives more than was meant. \`Prefer: handling=lenient\` has such fields ignored and named in \`X-Svc-Ignored-Fields\`, except where authority is given or narrowed. \`userId\` and \`agentUserId\` may stand anywhere a key may call: a write may name its caller only, and a read ignores them.

**Repeating a write.** Send \`Idempotency-Key\` and a write can be sent again without happening twice; a kept answer carries \`X-Idempotent-Replay\`.

The routes below \`${hubMount}\` are also answered below \`${hubMountAlias}\`.`

const spoken: WrittenParts = {
  info: {
    title: "Pod",
    version,
    summary: "A team's knowledge, behind keys that never allow more than their person may do.",
    description: about,
    contact: { name: "Whoever runs this pod" },
    license: { name: "Unlicensed, all rights reserved", identifier: "LicenseRef-Unlicensed" }
  }
}

const declarations = (): ReadonlyMap<string, OperationProperties & { readonly example: unknown }> => {
  const found = new Map<string, OperationProperties & { readonly example: unknown }>()
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ mergedAnnotations, payloads }) => {
      // The annotations are a context of whatever was annotated; asking for one that is missing answers none.
      const declared = Context.getOption(mergedAnnotations as Context.Context<Declaration>, Declaration)
      if (Option.isNone(declared)) return
      if (found.has(declared.value.name)) throw new Error(`Two REST operations are called ${declared.value.name}.`)
      const [payload] = payloads.values()
      const example = payload === undefined ? undefined : exampleOf(payload.ast)
      found.set(declared.value.name, { ...declared.value, example })
    }
  })
  return found
}

/** The OpenAPI 3.1 document. In: the pod's public address, when it has one; the committed document has none. */
export const describeApi = (publicUrl?: string): OpenApiDocument =>
  // The library's document is of this shape; its type lists every keyword, of which the draft reads a few.
  openApiDocument(OpenApi.fromApi(HubApi) as unknown as DraftDocument, declarations(), spoken, publicUrl)

/** The procedures and the MCP tools, which OpenAPI cannot describe. */
export const describeCatalog = (): CatalogDocument =>
  catalogDocument([
    ...[...Procedures.requests.values()].map((request) => ({
      // The start of the pod refuses a procedure without a declaration, so one that is missing here is a bug.
      ...Context.unsafeGet(request.annotations as Context.Context<Declaration>, Declaration),
      surface: "procedure" as const,
      input: request.payloadSchema
    })),
    ...Tools.map(({ declared, input }) => ({ ...declared, surface: "tool" as const, input }))
  ])

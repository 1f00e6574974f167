/**
 * Makes a part of the OpenAPI document: the operations with one tag, and only the components that these operations
 * need. Many tools and language models cannot read the whole document at once.
 */
import { Either } from "effect"
import { type Invalid, invalid } from "../doors/Failure.ts"
import { nearName } from "../shared/nearName.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"

type Components = OpenApiDocument["components"]

const prefix = "#/components/"

/**
 * Adds to `found` the paths of all components that a part of the document needs, directly or through other components.
 */
const collect = (components: Components, part: unknown, found: Set<string>): void => {
  if (typeof part !== "object" || part === null) return
  const $ref = "$ref" in part ? part.$ref : undefined
  if (typeof $ref === "string" && $ref.startsWith(prefix) && !found.has($ref)) {
    found.add($ref)
    const [kind, name] = $ref.slice(prefix.length).split("/")
    collect(components, components[kind]?.[name], found)
  }
  for (const inner of Object.values(part)) collect(components, inner, found)
}

/** Returns the document with only the operations that have this tag. Without a tag, returns the whole document. */
export const openApiPart = (document: OpenApiDocument, tag: string | undefined): OpenApiDocument => {
  if (tag === undefined) return document
  const operationsOf = (of: OpenApiDocument["paths"][string]) =>
    Object.entries(of).filter(([, { tags }]) => tags.includes(tag))
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, operations]) => [path, Object.fromEntries(operationsOf(operations))] as const)
      .filter(([, operations]) => Object.keys(operations).length > 0)
  )
  const used = new Set<string>()
  collect(document.components, paths, used)
  const components = Object.fromEntries(
    Object.entries(document.components).map(([kind, named]) => [
      kind,
      // Operations name security schemes without a reference, so the pod does not search for these names. There are few
      // schemes, and every part of the document keeps all of them.
      kind === "securitySchemes"
        ? named
        : Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`${prefix}${kind}/${name}`)))
    ])
  )
  return { ...document, tags: document.tags.filter(({ name }) => name === tag), paths, components }
}

/**
 * Reads the tag from the query of a request for the document. Returns undefined if the query has no tag. Fails with
 * `Invalid` if the document does not have this tag.
 */
export const tagOfQuery = ({ tags }: OpenApiDocument, search: string): Either.Either<string | undefined, Invalid> => {
  const requestedTag = new URLSearchParams(search).get("tag") ?? undefined
  const known = tags.map(({ name }) => name)
  if (requestedTag === undefined || known.includes(requestedTag)) return Either.right(requestedTag)
  const near = nearName(requestedTag, known, (name) => name)
  return Either.left(
    invalid("tag", near === undefined ? `must be one of: ${known.join(", ")}.` : `is unknown; did you mean "${near}"?`)
  )
}

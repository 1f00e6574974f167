/** The header `If-Match` (RFC 9110 §13.1.1): the version that the record of a change must still have. */
import { Either } from "effect"
import { type Invalid, invalid } from "../doors/Failure.ts"
import type { RestOperation } from "../doors/Operation.ts"

const header = "If-Match"
const creating = new Set(["POST", "PUT"]) // methods whose operations may create the record

/**
 * A version as a tag. The quotes may be missing, because clients of the pod know versions as numbers. A weak tag counts
 * too: a proxy that compresses answers makes every tag weak, and a version always means one exact content.
 */
const tag = /^(?:(?:W\/)?"([1-9]\d{0,9})"|([1-9]\d{0,9}))$/

const noVersion = invalid(header, 'Send one version that you read, such as "3".')
const notCompared = invalid(
  header,
  "This operation cannot compare versions, so the header would protect nothing. Leave the header out."
)
const notExisting = invalid(
  header,
  "This operation also creates records, so it cannot require that one exists. Send a version."
)
const contradiction = (field: string) =>
  invalid(
    header,
    `The header names another version than the field ${field}. Send one of them, or the same version in both.`
  )

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Adds the version of the header to the body, as if the client had sent it in the field. A header that the operation
 * cannot obey is refused, because the client relies on it. `*` means any version of an existing record.
 */
export const withExpectedVersion = (
  { method, versionField }: Pick<RestOperation, "method" | "versionField">,
  sent: string | undefined,
  body: unknown
): Either.Either<unknown, Invalid> => {
  if (sent === undefined) return Either.right(body)
  if (sent.trim() === "*") return creating.has(method) ? Either.left(notExisting) : Either.right(body)
  if (versionField === undefined) return Either.left(notCompared)
  const [, quoted, bare] = tag.exec(sent.trim()) ?? []
  const named = quoted ?? bare
  if (named === undefined) return Either.left(noVersion)
  const fields = body ?? {}
  if (!isObject(fields)) return Either.right(body)
  const given = fields[versionField]
  if (given === undefined) return Either.right({ ...fields, [versionField]: Number(named) })
  return given === Number(named) ? Either.right(body) : Either.left(contradiction(versionField))
}

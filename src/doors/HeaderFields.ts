/**
 * Headers that clients can send in place of a field of the input. The pod reads the input as if the client had sent the
 * field, so a header allows nothing that the field does not allow.
 */
import { Either, Predicate, SchemaAST, Struct } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import type { Dialect } from "./Dialect.ts"
import { type Invalid, invalid } from "./Failure.ts"

type Input = Readonly<Record<string, unknown>>

/** A header that an operation reads in place of an input field. */
export interface HeaderField {
  readonly name: string
  /** The name in lower case, as the headers of a request have it. */
  readonly header: string
  /** What the header does, for the API description. Absent if the operation only refuses the header. */
  readonly description?: string
  /** Returns the input with the field that the header fills. Returns the same object if nothing changes. */
  readonly fill: (input: Input, sent: string) => Either.Either<Input, Invalid>
}

/**
 * Adds to an input the fields of the headers that the client sent. An input that is not an object stays unchanged,
 * because the pod refuses it later. A missing input becomes an object with these fields.
 */
export const withHeaderFields = (
  fields: ReadonlyArray<HeaderField>,
  headers: IncomingHttpHeaders,
  input: unknown
): Either.Either<unknown, Invalid> => {
  let filled: unknown = input
  for (const { fill, header } of fields) {
    const sent = headers[header]
    if (sent === undefined) continue
    const before: unknown = filled ?? {}
    if (!Predicate.isRecord(before)) return Either.right(input)
    const after = fill(before, String(sent))
    if (Either.isLeft(after)) return after
    if (after.right !== before) filled = after.right
  }
  return Either.right(filled)
}

/**
 * Fills the field from the header. If the input already has the field, the pod ignores the header, because the field is
 * more specific.
 */
const fillIfAbsent =
  (field: string): HeaderField["fill"] =>
  (input, sent) =>
    Either.right(field in input ? input : { ...input, [field]: sent })

/**
 * Fills the field from the header. The pod refuses an input that already has another value in the field, because the
 * pod cannot know which value the client means.
 */
const fillOrRefuse = (
  input: Input,
  {
    contradiction,
    field,
    isSame,
    value
  }: {
    readonly field: string
    readonly value: unknown
    readonly isSame: (fieldValue: unknown) => boolean
    readonly contradiction: Invalid
  }
): Either.Either<Input, Invalid> => {
  const given = input[field]
  if (given === undefined) return Either.right({ ...input, [field]: value })
  return isSame(given) ? Either.right(input) : Either.left(contradiction)
}

const headerNamed = (name: string) => ({ name, header: name.toLowerCase() })

const focusSession: HeaderField = {
  ...headerNamed("X-Session-Id"),
  description: "Id of the focus session that the write belongs to. Used only if the body has no `sessionId`.",
  fill: fillIfAbsent("sessionId")
}

/**
 * OpenAI clients cannot send a workspace in the body, so they send it in this header. In their requests, null means the
 * same as an absent field.
 */
const openAiWorkspace: HeaderField = {
  ...headerNamed("X-Svc-Workspace-Id"),
  description: "Id of the workspace to search, if the body has no `workspaceId`.",
  fill: (input, sent) =>
    fillIfAbsent("workspaceId")(input["workspaceId"] === null ? Struct.omit(input, "workspaceId") : input, sent)
}

const otherWorkspace = invalid(
  "workspaceId",
  "The header `x-workspace-id` has the id of another workspace than this field. Send one of them, or the same id in both."
)

const callWorkspace: HeaderField = {
  ...headerNamed("X-Workspace-Id"),
  fill: (input, sent) =>
    fillOrRefuse(input, {
      field: "workspaceId",
      value: sent,
      isSame: (fieldValue) => typeof fieldValue === "string" && fieldValue.toLowerCase() === sent.toLowerCase(),
      contradiction: otherWorkspace
    })
}

/**
 * The possible names of the field with the version that a caller has read. A body has at most one of these fields. The
 * field `baseRevision` of a document is not in the list. With `baseRevision`, the pod merges two edits of different
 * fields.
 */
const versionFields = ["expectedVersion", "expectedRevision", "version"]
const versionFieldOf = (names: ReadonlySet<string>) => versionFields.find((field) => names.has(field))
// the methods of operations that can create a record
const creatingMethods = new Set(["POST", "PUT"])

const ifMatch = "If-Match"
/**
 * A version as a tag (RFC 9110 §13.1.1). The quotes can be missing, because clients of the pod know versions as
 * numbers. The pod also accepts a weak tag, because a proxy that compresses answers makes every tag weak. This is safe,
 * because each version has exactly one content.
 */
const tag = /^(?:(?:W\/)?"([1-9]\d{0,9})"|([1-9]\d{0,9}))$/
const noVersion = invalid(ifMatch, 'Send exactly one version: the version that you read, such as "3".')
const notCompared = invalid(
  ifMatch,
  "This operation cannot compare versions, so the header would protect nothing. Leave the header out."
)
const notExisting = invalid(
  ifMatch,
  "This operation also creates records, so it cannot require that the record exists. Send a version."
)
const otherVersion = (field: string) =>
  invalid(
    ifMatch,
    `The header has another version than the field \`${field}\`. Send one of them, or the same version in both.`
  )

/**
 * Returns the header `If-Match` for an operation with this version field. A header that the operation cannot obey is
 * refused, because the client relies on the header. `*` means any version of an existing record.
 */
const expectedVersion = (method: string, field: string | undefined): HeaderField => ({
  ...headerNamed("If-Match"),
  ...(field === undefined
    ? {}
    : {
        description: 'Version that the record must still have, such as `"3"`; with another version the answer is 409.'
      }),
  fill: (input, sent) => {
    const text = sent.trim()
    if (text === "*" && !creatingMethods.has(method)) return Either.right(input)
    if (field === undefined) return Either.left(notCompared)
    if (text === "*") return Either.left(notExisting)
    const [, quoted, bare] = tag.exec(text) ?? []
    const version = quoted ?? bare
    if (version === undefined) return Either.left(noVersion)
    const value = Number(version)
    return fillOrRefuse(input, {
      field,
      value,
      isSame: (fieldValue) => fieldValue === value,
      contradiction: otherVersion(field)
    })
  }
})

/** Returns the headers that a REST operation reads as fields. `names` are the fields of its body. */
export const restHeaderFields = (
  method: string,
  dialect: Dialect,
  names: ReadonlySet<string>
): ReadonlyArray<HeaderField> => [
  ...(names.has("sessionId") ? [focusSession] : []),
  ...(dialect === "openai" && names.has("workspaceId") ? [openAiWorkspace] : []),
  expectedVersion(method, versionFieldOf(names))
]

/**
 * Returns true if the input has an optional field `workspaceId` at the top level. Only such an input takes the
 * workspace from the header. For an input that must name its workspace, or whose fields must match each other, the pod
 * ignores the header. A client sends the header with all its calls, so the header could contradict the other fields.
 */
const takesWorkspace = (input: SchemaAST.AST): boolean => {
  switch (input._tag) {
    case "TypeLiteral":
      return input.propertySignatures.some(({ isOptional, name }) => name === "workspaceId" && isOptional)
    case "Transformation":
      return takesWorkspace(input.from)
    case "Union":
      return input.types.every(takesWorkspace)
    default:
      return false
  }
}

/** Returns the headers that a procedure reads as fields. `names` are the fields of its input. */
export const procedureHeaderFields = (
  kind: "query" | "mutation",
  input: SchemaAST.AST,
  names: ReadonlySet<string>
): ReadonlyArray<HeaderField> => [
  ...(takesWorkspace(input) ? [callWorkspace] : []),
  // tRPC sends all mutations with POST, also those that create records.
  expectedVersion("POST", kind === "query" ? undefined : versionFieldOf(names))
]

/** The names of all headers that some operation reads as a field. */
export const fieldHeaders: ReadonlyArray<string> = [
  ...restHeaderFields("PATCH", "openai", new Set(["sessionId", "workspaceId"])),
  callWorkspace
].map(({ header }) => header)

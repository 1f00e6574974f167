/** Permission keys: `<subject>[.<kind>].<action>`, matched segment by segment (specification §2.2). */
import { Data, Either } from "effect"
import { type Action, type Subject, subjects } from "../../doors/Door.ts"
import { nearName } from "../../doors/NearName.ts"

/** A key that cannot be read as a permission. Refused when a grant is made, never taken as full access. */
export class PermissionMalformed extends Data.TaggedError("PermissionMalformed")<{
  readonly permission: string
  readonly why: string
}> {}

/** What an operation asks of a grant. `kind` is null for subjects without kinds and `*` for an unknown kind. */
export interface PermissionRequest {
  readonly subject: Subject
  readonly kind: string | null
  readonly action: Action
}

const segmentForm = /^(?:\*|[a-z0-9][a-z0-9_-]*)$/
const segmentsMax = 3
const lengthMax = 120 // characters
const entityVerbs = new Set(["read", "create", "update", "delete"])

/**
 * The segments of a permission in the one form the matcher knows: `entity.read` is `entity.*.read`, and any other
 * second word after `entity` is a kind. Fails on everything the grammar does not allow.
 */
export const parsePermission = (text: string): Either.Either<ReadonlyArray<string>, PermissionMalformed> => {
  const refuse = (why: string) => Either.left(new PermissionMalformed({ permission: text, why }))
  const trimmed = text.trim()
  if (trimmed.length === 0) return refuse("is empty")
  if (trimmed.length > lengthMax) return refuse(`is longer than ${lengthMax} characters`)
  const segments = trimmed.split(".")
  if (segments.length > segmentsMax) return refuse(`has more than ${segmentsMax} segments`)
  if (!segments.every((segment) => segmentForm.test(segment))) {
    return refuse("has a segment that is not * and not made of lower-case letters, digits, - and _")
  }
  const [subject, second] = segments
  if (subject === "*")
    return segments.length === 1 ? Either.right(segments) : refuse("starts with * but has more segments")
  if (subject === "entity") {
    return Either.right(segments.length === 2 && entityVerbs.has(second) ? ["entity", "*", second] : segments)
  }
  return segments.length === 3 ? refuse("names a kind, but only entity has kinds") : Either.right(segments)
}

/** Whether a slug is the name of an action. As a kind it would make `entity.read` ambiguous. */
export const isActionName = (slug: string): boolean => entityVerbs.has(slug)

/** The fault of a subject that does not exist; undefined for a subject that exists, and for `*`. */
export const subjectFault = (subject: string): string | undefined => {
  if (subject === "*" || subjects.some((known) => known === subject)) return undefined
  const near = nearName(subject, subjects, (known) => known)
  return `There is no subject ${subject}.${near === undefined ? "" : ` Did you mean ${near}?`}`
}

/** The segments a request is matched by. Subjects without kinds have two; an entity's always has three. */
export const requestSegments = (request: PermissionRequest): ReadonlyArray<string> =>
  request.subject === "entity" ? ["entity", request.kind ?? "*", request.action] : [request.subject, request.action]

/**
 * Whether one permission covers another, or a request: it has no more segments, and each of its segments is equal or
 * `*`. A `*` in the request is an unknown kind: only `*` covers it.
 */
export const segmentsCover = (held: ReadonlyArray<string>, asked: ReadonlyArray<string>): boolean =>
  held.length <= asked.length && held.every((segment, at) => segment === "*" || segment === asked[at])

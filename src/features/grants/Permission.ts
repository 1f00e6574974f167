/**
 * Permissions are texts such as `<subject>[.<kind>].<action>`. The pod matches them segment by segment (specification
 * §2.2).
 */
import { Data, Either } from "effect"
import { type Action, type Subject, subjects } from "../../doors/Door.ts"
import { nearName } from "../../shared/nearName.ts"

/**
 * The failure for a text that cannot be parsed as a permission. The pod refuses such a text in a new grant, and never
 * treats it as full access.
 */
export class PermissionMalformed extends Data.TaggedError("PermissionMalformed")<{
  readonly permission: string
  readonly why: string
}> {}

/**
 * What an operation requires of the permissions of a grant. `kind` is null for subjects without kinds, and `*` for an
 * unknown kind.
 */
export interface PermissionRequest {
  readonly subject: Subject
  readonly kind: string | null
  readonly action: Action
}

const segmentForm = /^(?:\*|[a-z0-9][a-z0-9_-]*)$/
const segmentsMax = 3
const lengthMax = 120 // the maximum number of characters of a permission
const entityVerbs = new Set(["read", "create", "update", "delete"])

/**
 * Splits a permission into the segments that the matcher reads. `entity.read` becomes `entity.*.read`, because `read`
 * is an action. If the word after `entity` is not an action, it is a kind. Fails for every text that the grammar does
 * not allow.
 */
export const parsePermission = (text: string): Either.Either<ReadonlyArray<string>, PermissionMalformed> => {
  const refuse = (why: string) => Either.left(new PermissionMalformed({ permission: text, why }))
  const trimmed = text.trim()
  if (trimmed.length === 0) return refuse("is empty")
  if (trimmed.length > lengthMax) return refuse(`is longer than ${lengthMax} characters`)
  const segments = trimmed.split(".")
  if (segments.length > segmentsMax) return refuse(`has more than ${segmentsMax} parts between dots`)
  if (!segments.every((segment) => segmentForm.test(segment))) {
    return refuse(
      "has a part between dots with characters that are not allowed: use lower-case letters, digits, - and _, or a single *"
    )
  }
  const [subject, second] = segments
  if (subject === "*")
    return segments.length === 1
      ? Either.right(segments)
      : refuse("begins with `*` but has further parts; send only `*`")
  if (subject === "entity") {
    return Either.right(segments.length === 2 && entityVerbs.has(second) ? ["entity", "*", second] : segments)
  }
  return segments.length === 3
    ? refuse("has a kind, but only permissions of the subject `entity` have kinds")
    : Either.right(segments)
}

/** Returns true if a slug is the name of an action. If a kind had such a slug, `entity.read` would be ambiguous. */
export const isActionName = (slug: string): boolean => entityVerbs.has(slug)

/** Says what is wrong with a subject. Returns undefined if the subject exists or is `*`. */
export const subjectFault = (subject: string): string | undefined => {
  if (subject === "*" || subjects.some((known) => known === subject)) return undefined
  const suggestion = nearName(subject, subjects, (known) => known)
  return `There is no subject ${subject}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`
}

/**
 * Says what is wrong with an action that was probably mistyped. Returns undefined for every other word, because a
 * client might send the name of an action that only a later version of the pod knows.
 */
export const actionFault = (segments: ReadonlyArray<string>): string | undefined => {
  const action = segments[segments[0] === "entity" ? 2 : 1]
  if (action === undefined || action === "*" || isActionName(action)) return undefined
  const suggestion = nearName(action, entityVerbs, (known) => known)
  return suggestion === undefined ? undefined : `There is no action ${action}. Did you mean ${suggestion}?`
}

/**
 * Converts a request to segments, so that `segmentsCover` can compare it with a permission. A request for an entity has
 * three segments. A request for a subject without kinds has two.
 */
export const requestSegments = (request: PermissionRequest): ReadonlyArray<string> =>
  request.subject === "entity" ? ["entity", request.kind ?? "*", request.action] : [request.subject, request.action]

/**
 * Returns true if the permission `granted` covers `requested`, which is another permission or a request. `granted` must
 * not have more segments than `requested`. Each segment of `granted` must be `*` or equal to the segment of
 * `requested`. A `*` in a request means an unknown kind, and only a `*` in `granted` covers it.
 */
export const segmentsCover = (granted: ReadonlyArray<string>, requested: ReadonlyArray<string>): boolean =>
  granted.length <= requested.length && granted.every((segment, at) => segment === "*" || segment === requested[at])

/**
 * Whom a write may name as the one who acts: its caller (compatibility reference §1.6). Asked once, of every write, before
 * its input is looked at; fields that an operation does not know are asked after as well. Reads ignore another id.
 */
import { Either } from "effect"
import type { Door } from "./Door.ts"
import { Forbidden, invalid, type Invalid } from "./Failure.ts"
import type { Principal } from "./Principal.ts"

/** Fields that hold the id of a user. */
const users = ["userId", "ownerUserId", "agentUserId"] as const
/** Fields that hold any text, and where an id is that of a user. */
const labels = ["actorId", "author"] as const

export type ActorField = (typeof users)[number] | (typeof labels)[number]

const fields: ReadonlyArray<ActorField> = [...users, ...labels]

/**
 * What clients say of themselves with anything they send, whether or not it is declared: a write that names another was
 * refused above, and a read ignores it. Where a session or a link is the credential it has no place, for there an id says
 * whom something is given to.
 */
export const callerFields = (door: Door): ReadonlyArray<string> =>
  door._tag === "Session" || door._tag === "Public" ? [] : ["userId", "agentUserId"]

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const refused = (field: ActorField) =>
  new Forbidden({ code: "IDENTITY_FORBIDDEN", why: `${field} may name the caller only.`, required: [], granted: [] })

/** Empty text names nobody; in a label, so does what is no id. */
const isUser = (field: ActorField, value: string): boolean =>
  users.some((user) => user === field) ? value !== "" : uuid.test(value)

const refusalOf = (principal: Principal, field: ActorField, value: string): Forbidden | Invalid | undefined => {
  if (principal.holder.kind === "agent" && value === principal.holder.id) return undefined
  if (value !== principal.personId) return refused(field)
  return field === "agentUserId" ? invalid(field, "That is a person and no agent.") : undefined
}

/**
 * Whether none of these objects of a write's input says that somebody else acts. `about` is the field that names whom the
 * write is about, and not who acts.
 */
export const namesCaller = (
  principal: Principal,
  said: ReadonlyArray<unknown>,
  about?: ActorField
): Either.Either<void, Forbidden | Invalid> => {
  for (const each of said) {
    if (typeof each !== "object" || each === null) continue
    for (const field of fields) {
      const value = (each as Readonly<Record<string, unknown>>)[field]
      // What is no text is for the decoding to refuse.
      if (field === about || typeof value !== "string" || !isUser(field, value)) continue
      const refusal = refusalOf(principal, field, value)
      if (refusal !== undefined) return Either.left(refusal)
    }
  }
  return Either.void
}

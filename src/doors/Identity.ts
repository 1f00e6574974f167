/**
 * In a write, only the caller can be named as the user who acts. The pod checks this for every write before it decodes
 * the input. It also checks fields that the operation does not declare. A read ignores the id of another user.
 */
import { Either } from "effect"
import type { Door } from "./Door.ts"
import { Forbidden, invalid, type Invalid } from "./Failure.ts"
import type { Principal } from "./Principal.ts"
import { isUuid } from "../platform/Ids.ts"

/** Fields that hold the id of a user. */
const users = ["userId", "ownerUserId", "agentUserId"] as const
/** Fields that can hold any text. A UUID in such a field is the id of a user. */
const labels = ["actorId", "author"] as const

export type ActorField = (typeof users)[number] | (typeof labels)[number]

const fields: ReadonlyArray<ActorField> = [...users, ...labels]

/**
 * Returns the names of the fields in which a client may repeat the id of the caller, even if the operation does not
 * declare them. The pod refuses a write in which such a field names another user (`namesCaller`). A read ignores the
 * field. The list is empty for the doors of sessions, of the operator and of the public, because there such a field
 * could name the user who receives something.
 */
export const callerFields = (door: Door): ReadonlyArray<string> =>
  door._tag === "Session" || door._tag === "Operator" || door._tag === "Public" ? [] : ["userId", "agentUserId"]

const actorRefusal = (field: ActorField) =>
  new Forbidden({
    code: "IDENTITY_FORBIDDEN",
    why:
      field === "agentUserId"
        ? "agentUserId may contain only the id of the agent that sends the request. A person leaves this field out."
        : `${field} may contain only the id of the caller.`,
    required: [],
    granted: []
  })

/**
 * Returns true if the value of this field is the id of a user. In a field that holds ids, every value except the empty
 * text is the id of a user. In a field that can hold any text, only a UUID is the id of a user.
 */
const isUser = (field: ActorField, value: string): boolean =>
  users.some((user) => user === field) ? value !== "" : isUuid(value)

const refusalOf = (principal: Principal, field: ActorField, sent: string): Forbidden | Invalid | undefined => {
  // The input is not decoded yet, so the id can still have capital letters.
  const value = sent.toLowerCase()
  if (principal.holder.kind === "agent" && value === principal.holder.id) return undefined
  if (value !== principal.personId) return actorRefusal(field)
  return field === "agentUserId" ? invalid(field, "This is the id of a person. Send the id of an agent.") : undefined
}

/**
 * Checks that the input of a write names only the caller as the user who acts. `parts`: the parts of the input to
 * check. `about`: the field with the user that the write is about. This field is not checked.
 */
export const namesCaller = (
  principal: Principal,
  parts: ReadonlyArray<unknown>,
  about?: ActorField
): Either.Either<void, Forbidden | Invalid> => {
  for (const each of parts) {
    if (typeof each !== "object" || each === null) continue
    for (const field of fields) {
      // `each` is an object, so reading any field of it is safe.
      const value = (each as Readonly<Record<string, unknown>>)[field]
      // This check skips a value that is not a text, because decoding refuses such a value later.
      if (field === about || typeof value !== "string" || !isUser(field, value)) continue
      const refusal = refusalOf(principal, field, value)
      if (refusal !== undefined) return Either.left(refusal)
    }
  }
  return Either.void
}

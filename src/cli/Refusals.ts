/** Translates a refusal of the pod to a failure of the command line. */
import { CliFailure, type CliExit } from "./CliFailure.ts"
import { type Fields, isFields, rowsOf, textOf } from "./AnswerFields.ts"
import type { HttpAnswer } from "./HttpCall.ts"

const exitOf = (status: number): CliExit => {
  switch (status) {
    case 400:
    case 405:
    case 413:
    case 415:
    case 422:
      return "badUsage"
    case 401:
      return "notSignedIn"
    case 403:
      return "refused"
    case 404:
      return "notFound"
    case 409:
    case 412:
      return "conflict"
    case 429:
      return "rateLimited"
    case 408:
    case 502:
    case 503:
    case 504:
      return "unreachable"
    default:
      return "unexpected"
  }
}

const retryable: ReadonlySet<CliExit> = new Set(["unreachable", "rateLimited"])

/**
 * Finds the fields of a refusal. REST answers have them in the body. Answers of procedures have the message below
 * `error` and the other fields below `error.data`.
 */
const refusalIn = (body: unknown): Fields => {
  if (!isFields(body)) return {}
  const { error } = body
  if (!isFields(error)) return body
  return { ...(isFields(error["data"]) ? error["data"] : {}), message: error["message"] }
}

/** Returns the faults of a refused input: the field, and what is wrong with it. */
const faultsIn = (fields: Fields): ReadonlyArray<{ readonly field: string; readonly text: string }> =>
  rowsOf(fields["details"]).map(({ message, path }) => ({ field: textOf(path), text: textOf(message) }))

const hintOf = (exit: CliExit, fields: Fields): string | undefined => {
  const given = textOf(fields["fix"])
  // The message of the refusal already names a command that helps, such as `pod login`, so no hint is added.
  if (/`pod [a-z]/.test(textOf(fields["message"]))) return undefined
  if (exit === "notSignedIn") return "Sign in with `pod login`, or set POD_API_KEY to a key."
  if (fields["code"] === "SESSION_ONLY")
    return "Only a signed-in person may do this: run `pod login`, and unset POD_API_KEY."
  const decision = textOf(fields["decisionId"])
  const steps = [
    ...(given === "" ? [] : [`Make a key that may do this: ${given}`]),
    ...(exit === "refused" && decision !== "" ? [`Why: pod api GET /api/hub/auth/decisions/${decision}`] : [])
  ]
  return steps.length === 0 ? undefined : steps.join("\n")
}

/**
 * Turns an answer with an error status into the failure of the command. `body` is the parsed JSON of the answer, if the
 * answer is JSON.
 */
export const refusalOf = ({ headers, status, text }: HttpAnswer, body: unknown): CliFailure => {
  const exit = exitOf(status)
  const fields = refusalIn(body)
  const faultRows = faultsIn(fields)
  const faults = faultRows.map(({ field, text }) => (field === "" ? text : `${field}: ${text}`)).join("; ")
  const message = [textOf(fields["message"]), typeof fields["error"] === "string" ? fields["error"] : ""].find(
    (one) => one !== ""
  )
  const sentence =
    message ??
    (text.trim() === "" ? `The pod answered ${status}.` : `The pod answered ${status}: ${text.slice(0, 200)}`)
  const code = textOf(fields["code"]) || textOf(fields["reason"]) || `HTTP_${status}`
  const wait = headers["retry-after"]
  // If a procedure refuses its input, the message of the refusal is a JSON list of the faults instead of a sentence.
  const isList = faults !== "" && sentence.trimStart().startsWith("[")
  return new CliFailure({
    exit,
    code,
    message: isList ? faults : faults === "" || sentence.includes(faults) ? sentence : `${sentence} ${faults}`,
    hint: exit === "rateLimited" && typeof wait === "string" ? `Try again in ${wait} s.` : hintOf(exit, fields),
    requestId: typeof headers["x-request-id"] === "string" ? headers["x-request-id"] : undefined,
    retryable: retryable.has(exit),
    faultyFields: faultRows.map(({ field }) => field)
  })
}

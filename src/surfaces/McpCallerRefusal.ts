/** The refusal of a whole MCP request because of its credential, from the failure of the pod. */
import type { Failure } from "../doors/Failure.ts"
import { sentenceOf, wireAnswerOf } from "../doors/WireAnswer.ts"
import type { McpCallerRefused } from "./McpGuard.ts"

/**
 * Makes the refusal of a whole request. The pod sends it if the credential is not accepted, or if the pod cannot answer
 * the request.
 */
export const callerRefused = (failure: Failure): McpCallerRefused => {
  const answer = wireAnswerOf(failure)
  const { body, headers = {} } = answer
  // This code leaves the header out, because `credentialRefusal` writes it.
  const { "www-authenticate": _, ...otherHeaders } = headers
  const refused = { ok: false, description: sentenceOf(answer), headers: otherHeaders } as const
  switch (failure._tag) {
    case "TooMany":
      return { ...refused, status: 429, error: "rate_limited" }
    case "Unavailable":
      return { ...refused, status: 503, error: "temporarily_unavailable" }
    case "Broken":
      return { ...refused, status: 500, error: "server_error", data: { errorId: body["errorId"] } }
    default:
      return { ...refused, status: 401, error: "invalid_token" }
  }
}

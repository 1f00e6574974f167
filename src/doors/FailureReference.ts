/** The meaning of each failure, for the page of errors, and the path of each failure on this page. */
import type { Failure } from "./Failure.ts"
import { nameOfFailure } from "./Failure.ts"
import { conflictCodes, forbiddenCodes, grantDoorUnsupported } from "./FailureCode.ts"

/** The path of the page below the root of the pod. The field `docs` of every refusal leads there. */
export const errorsPath = "/docs/errors"

/** What each failure means and what to do, by the name (`_tag`) of the class of the failure. */
export const failureMeanings: Readonly<Record<Failure["_tag"], string>> = {
  Invalid:
    "The input does not fit the declaration of the operation. `details` lists every fault with its path. Correct the input and send it again.",
  Unauthorized:
    "The credential is missing, mistyped, expired, revoked or not accepted here; `reason` says which. Sign in again, or ask for a new key.",
  Forbidden:
    "The pod knows the caller, but the caller may not do this. `code` and `why` say why; `required` and `granted` show what is missing. If `fix` is present, it is the address of a page where a person can create a key with the missing right.",
  GrantDoorUnsupported: "The pod cannot limit this operation to what the grant of the key allows.",
  NotFound: "There is no such record, or the caller may not know of it. The answer is the same in both cases.",
  MethodNotAllowed: "The path exists, but not with this method. The header `allow` lists the methods.",
  Conflict:
    "The request contradicts what is stored; `code` says how. Read the record again before you repeat the request.",
  TooLarge: "The body is larger than a limit; `error` says which limit. Send a smaller body.",
  UnsupportedMedia:
    "The body is not of a type that the operation reads. Send `application/json` unless the reference says otherwise.",
  TooMany:
    "The caller has reached a limit; `error` says which limit. Wait as many seconds as the header `retry-after` says.",
  Broken:
    "Something went wrong inside the pod. The log of the pod has the details under `errorId`; send this id to the operator.",
  NotImplemented: "The pod cannot carry out this operation for this type of record.",
  UpstreamFailed:
    "The model service failed, or it refused the request. Repeat the request only if `retryable` is true.",
  Unavailable: "The pod cannot answer at the moment. Wait as many seconds as the header `retry-after` says.",
  NoProvider: "The pod has no model service, so it cannot do what the request asks for.",
  UpstreamTimedOut: "The model service did not answer in time. Repeat the request later."
}

/**
 * The meaning of each error code, by the code. The page of errors lists a failure without a code under the name of its
 * class.
 */
export const codeMeanings: Readonly<Record<string, string>> = {
  [grantDoorUnsupported]:
    "The pod cannot limit this operation to what the grant of the key allows. `alternatives` lists the operations that the key may call instead.",
  ...forbiddenCodes,
  ...conflictCodes
}

/** Returns the path of a failure on the page of errors. The path is below the root of the pod. */
export const docsPathOf = (failure: Failure): string => {
  const name = nameOfFailure(failure)
  return `${errorsPath}#${Object.hasOwn(codeMeanings, name) ? name : failure._tag}`
}

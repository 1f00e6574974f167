/**
 * Makes the reach of a principal: what its calls may read and change. Also makes the authority that the SQL statements
 * of a call check.
 */
import { isLocalOperator, localOperator, type Principal } from "../../doors/Principal.ts"
import type { Authority, Origin, ReachShape } from "../../doors/Reach.ts"
import { boundsFor } from "../grants/GrantMatcher.ts"

/**
 * Returns the authority of a principal: the credential and the person that each SQL statement checks. The local
 * operator has no stored credential, so the operator's statements check only the person.
 */
const authorityOf = (principal: Principal): Authority => {
  const { credential, epoch, personId } = principal
  return isLocalOperator(principal)
    ? { kind: "person", reason: localOperator, personId, callerId: personId, epoch }
    : { kind: credential.kind, credentialId: credential.id, personId, epoch }
}

export const reachOf = (principal: Principal, origin: Origin): ReachShape => ({
  principal,
  authority: authorityOf(principal),
  origin,
  bounds: (subject, action) => boundsFor(principal, subject, action)
})

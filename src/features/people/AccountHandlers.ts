/** The handlers of accounts: they translate between the endpoints and the service. */
import { Effect, Redacted } from "effect"
import { implement } from "../../doors/Implement.ts"
import { AccountApi } from "./AccountApi.ts"
import { Accounts } from "./Accounts.ts"

const passwordChangeText = (ended: number): string => {
  const sessions =
    ended === 0 ? "You had no other sessions." : `${ended} other session${ended === 1 ? " was" : "s were"} ended.`
  return `Your password is changed. ${sessions} Your keys still work; revoke the keys that somebody else might have.`
}

export const layer = implement(
  AccountApi,
  Effect.map(Accounts, (accounts) => ({
    "people.list": ({ urlParams }) => accounts.people(urlParams),
    "people.update": ({ path: { id }, payload }) => accounts.change(id, payload),
    "people.rename": ({ payload: { name } }) => accounts.rename(name),
    "people.changePassword": ({ payload: { currentPassword, newPassword } }) =>
      Effect.map(
        accounts.changePassword({ present: Redacted.make(currentPassword), next: Redacted.make(newPassword) }),
        (endedSessions) => ({ success: true as const, endedSessions, message: passwordChangeText(endedSessions) })
      ),
    "people.resetOwnerPassword": ({ payload: { newPassword } }) =>
      Effect.map(accounts.resetOwnerPassword(Redacted.make(newPassword)), (reset) => ({
        success: true as const,
        ...reset
      }))
  }))
)

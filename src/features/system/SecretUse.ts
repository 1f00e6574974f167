/**
 * Tells the owner of the pod what still needs a former value of a secret. So the owner knows when the former value can
 * be removed.
 */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import { EncryptionKeys } from "../../platform/Encryption.ts"
import { SignIn } from "../../platform/SignIn.ts"
import { Calendars } from "../calendar/Calendars.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { Keys, KeySettings } from "../keys/Keys.ts"
import { podOwnerOnly } from "../people/PodOwner.ts"
import { VaultKeys } from "../vault/VaultKeys.ts"

/** Says how many stored items of each kind the present value of a secret cannot decrypt or verify. */
export interface SecretReport {
  readonly name: string
  /** How many values the setting has: the present one and the former ones. */
  readonly values: number
  readonly older: ReadonlyArray<{ readonly of: string; readonly count: number }>
}

export class SecretUse extends Context.Tag("pod/SecretUse")<
  SecretUse,
  { readonly report: Effect.Effect<ReadonlyArray<SecretReport>, Forbidden, Reach> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const keys = yield* Keys
      const invitations = yield* Invitations
      const calendars = yield* Calendars
      const signIn = yield* SignIn
      const vaults = yield* VaultKeys
      const { formerPeppers } = yield* KeySettings
      const { length: encryptionKeys } = yield* EncryptionKeys
      return {
        report: Effect.gen(function* () {
          yield* podOwnerOnly("can see which records need a former value of a secret")
          const sessions = yield* signIn.secretUse
          return [
            {
              name: "POD_KEY_PEPPER",
              values: 1 + formerPeppers.length,
              older: [
                { of: "keys", count: yield* keys.countOlder },
                { of: "calendar feeds", count: yield* calendars.countOlder },
                { of: "open invitations", count: yield* invitations.countOlder }
              ]
            },
            {
              name: "POD_SESSION_SECRET",
              values: sessions.values,
              older: [{ of: "sessions", count: sessions.older }]
            },
            {
              name: "POD_ENCRYPTION_KEY",
              values: encryptionKeys,
              older: [{ of: "vaults", count: yield* vaults.countOther }]
            }
          ]
        })
      }
    })
  )
}

/**
 * What a credential that does not open is told beside its reason. Its form and its checksum are public, so what is wrong with
 * them is said to everybody; what became of a key is said to whoever shows the key itself.
 */
import { keyPrefixes, longest, ownTailLength, tailLengths } from "../keys/KeySecret.ts"

const signInAgain = "Sign in again with POST /auth/sign-in."

const prefixOf = (text: string) => keyPrefixes.find((prefix) => text.startsWith(prefix))

export const cutOff = "The key is shorter than any key of a pod: it was cut off when it was copied. Copy all of it."

/** Why a bearer has not even the form of a key. */
export const foreignBearer = (secret: string): string => {
  const prefix = prefixOf(secret)
  if (prefix === undefined) {
    return `A key of a pod begins with ${keyPrefixes.join(", ")}; this credential does not. A sign-in token goes into X-Session-Token.`
  }
  if (secret.length === prefix.length) return cutOff
  return secret.length > longest
    ? "The bearer is longer than any key of a pod. Send the key alone."
    : "The bearer holds characters that no key has, such as spaces. Send the key alone."
}

export const mistypedKey = "The checksum of the key is wrong: it was mistyped or changed. Copy it again."

/** What is said of a key that nobody here has: nothing but what its length tells. */
export const unknownKey = (secret: string): string => {
  const length = secret.length - (prefixOf(secret) ?? "").length
  // Of longer ones nothing can be told: of which form they were is not known.
  const isCutOff = length < ownTailLength && !tailLengths.includes(length)
  return isCutOff ? cutOff : "The key is not known here, or was revoked. Whoever runs the pod can make another."
}

export const revokedKey = "This key was revoked, by hand or by a rotation, and is not valid any more."
export const expiredKey = "This key has expired. Its person can make another."
export const suspendedHolder = "Whoever holds this credential is suspended: it opens nothing until that is taken back."

/** Signed out, expired, forged and never issued alike. */
export const endedSession = (token: string): string =>
  prefixOf(token) === undefined
    ? `The sign-in is unknown or has ended: signed out, expired, or ended by a new password. ${signInAgain}`
    : "This is a key and no sign-in token: send it in Authorization: Bearer."

/**
 * The explanations for refused credentials. The form and the checksum of keys are public, so the pod tells every caller
 * about a fault in the form or the checksum. Only a caller who sends a real key learns the state of the key, such as
 * revoked.
 */
import { bridgeMount, hubMount, sessionMount } from "../../doors/Mounts.ts"
import { keyPrefixes, keyLengthMax, ownTailLength, tailLengths } from "../keys/KeySecret.ts"

const signInAgain = "Sign in again with POST /auth/sign-in."

const prefixOf = (text: string) => keyPrefixes.find((prefix) => text.startsWith(prefix))

export const truncatedKeyMessage =
  "The key is shorter than any key of a pod: a part was cut off. Copy the whole key again."

/** Explains why a bearer credential does not have the form of a key. */
export const foreignBearerMessage = (secret: string): string => {
  const prefix = prefixOf(secret)
  if (prefix === undefined) {
    return `A key of a pod begins with ${keyPrefixes.join(", ")}, but this credential does not. If it is a sign-in token, send it in \`X-Session-Token\` to ${hubMount} or ${sessionMount}; ${bridgeMount} and /mcp accept only keys.`
  }
  if (secret.length === prefix.length) return truncatedKeyMessage
  return secret.length > keyLengthMax
    ? "The text after Bearer is longer than a key of a pod. Send only the key."
    : "The text after Bearer contains characters that are not allowed in a key, such as spaces. Send only the key."
}

export const mistypedKeyMessage =
  "The checksum of the key is wrong: the key was mistyped or changed. Copy the key again."

/**
 * Returns the explanation for an unknown key. If the key is shorter than a complete key, the explanation says that its
 * end is possibly missing.
 */
export const unknownKeyMessage = (secret: string): string => {
  const length = secret.length - (prefixOf(secret) ?? "").length
  // One older form of keys is longer than the current form. So an older key without its end can still be longer than a
  // current key. The pod does not recognize this case.
  const isCutOff = length < ownTailLength && !tailLengths.includes(length)
  return isCutOff ? truncatedKeyMessage : "The key is revoked, or this pod does not know it. Create another key."
}

export const revokedKeyMessage =
  "This key is not valid any more: it was revoked, or replaced by a new key. Use the new key, or create another key."
export const expiredKeyMessage = "This key has expired. The owner of the key can create another key."
export const suspendedHolderMessage =
  "The person or agent that holds this credential is suspended. The credential does not work until the suspension ends."

export const unclaimedMessage =
  "This pod has no owner yet. On the machine of the pod, run `pod setup-link` to get a setup link, or `pod owner create` to create the owner."

/** The form of every sign-in token: two parts of fixed length. The second part is a signature in base64. */
const signInTokenForm = /^[A-Za-z0-9]{32}\.[A-Za-z0-9+/]{43}=$/

/**
 * Returns the explanation for an invalid session. The explanation does not say whether the session ended, expired, was
 * forged or never existed. The form of a token is public, so the explanation can say that a part of the token is
 * missing.
 */
export const endedSessionMessage = (token: string): string => {
  if (prefixOf(token) !== undefined) return "This is a key, not a sign-in token: send it in `Authorization: Bearer`."
  return signInTokenForm.test(token)
    ? `The sign-in session is unknown or has ended. A session ends when it expires, and when the person signs out, gets a new password or is suspended. ${signInAgain}`
    : `This is not a complete sign-in token: a part was cut off, or the text is something else. Copy the whole token again. ${signInAgain}`
}

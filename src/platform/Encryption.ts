/**
 * Encrypts what must be readable again, such as the secrets of the vault: AES-256-GCM, with the record that it belongs to as
 * additional data, so that a ciphertext in another row or field does not open.
 */
import { Context, Layer, Redacted } from "effect"
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const format = 1 // the first byte of a ciphertext, so that a later format can be told from this one

/** The owner, the record and the field that a ciphertext belongs to, in this order. It opens only with the same place. */
export type SealedPlace = readonly [owner: string, record: string, field: string]

const additional = (place: SealedPlace) => Buffer.from(JSON.stringify(["pod", format, ...place]))

/** A key of 32 bytes for one purpose, from a secret with at least as many random bits. */
export const derivedKey = (secret: string | Buffer, purpose: string): Redacted.Redacted<Buffer> =>
  Redacted.make(Buffer.from(hkdfSync("sha256", secret, "", `pod: ${purpose}`, keyBytes)))

/** A new random key. */
export const randomKey = (): Redacted.Redacted<Buffer> => Redacted.make(randomBytes(keyBytes))

/** The format, a random nonce, the ciphertext and the tag, one after the other. */
export const seal = (key: Redacted.Redacted<Buffer>, plain: Buffer, place: SealedPlace): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", Redacted.value(key), nonce, { authTagLength: tagBytes })
  cipher.setAAD(additional(place))
  return Buffer.concat([Buffer.of(format), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** The plain bytes. Undefined if the ciphertext was made with another key or for another place, or was changed. */
export const open = (key: Redacted.Redacted<Buffer>, sealed: Buffer, place: SealedPlace): Buffer | undefined => {
  if (sealed.length < 1 + nonceBytes + tagBytes || sealed[0] !== format) return undefined
  const decipher = createDecipheriv("aes-256-gcm", Redacted.value(key), sealed.subarray(1, 1 + nonceBytes), {
    authTagLength: tagBytes
  })
  decipher.setAAD(additional(place))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}

/** HMAC-SHA-256: by it equal texts are found without storing them. */
export const keyedHash = (key: Redacted.Redacted<Buffer>, text: string): Buffer =>
  createHmac("sha256", Redacted.value(key)).update(text).digest()

/** The key of the pod, from POD_ENCRYPTION_KEY or the data directory. */
export class EncryptionKey extends Context.Tag("pod/EncryptionKey")<EncryptionKey, Redacted.Redacted<Buffer>>() {
  static readonly layer = (secret: Redacted.Redacted) =>
    Layer.succeed(this, derivedKey(Redacted.value(secret), "encryption"))
}

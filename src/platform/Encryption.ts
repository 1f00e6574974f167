/**
 * Encrypts values that the pod must read again, such as the secrets of the vault. The method is AES-256-GCM. Each
 * ciphertext is bound to its owner, its record and its field. So a ciphertext that is copied to another row or field
 * cannot be decrypted.
 */
import { type Array, Context, Layer, Redacted } from "effect"
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
// the first byte of a ciphertext, which is the number of the format
const format = 1

/**
 * The owner, the record and the field of a ciphertext, in this order. The ciphertext can be decrypted only with the
 * same three values.
 */
export type SealedPlace = readonly [owner: string, record: string, field: string]

const additional = (place: SealedPlace) => Buffer.from(JSON.stringify(["pod", format, ...place]))

/** Derives a key of 32 bytes for one purpose. The secret must have at least 32 random bytes. */
export const derivedKey = (secret: string | Buffer, purpose: string): Redacted.Redacted<Buffer> =>
  Redacted.make(Buffer.from(hkdfSync("sha256", secret, "", `pod: ${purpose}`, keyBytes)))

export const randomKey = (): Redacted.Redacted<Buffer> => Redacted.make(randomBytes(keyBytes))

/** Encrypts a value. The result is the format byte, a random nonce, the ciphertext and the tag, in this order. */
export const seal = (key: Redacted.Redacted<Buffer>, plain: Buffer, place: SealedPlace): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", Redacted.value(key), nonce, { authTagLength: tagBytes })
  cipher.setAAD(additional(place))
  return Buffer.concat([Buffer.of(format), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/**
 * Decrypts a value. Returns undefined if the ciphertext was made with another key or for another place, or if somebody
 * changed it.
 */
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

/**
 * Returns the HMAC-SHA-256 of a text. Two equal texts have equal hashes. So equal texts can be found although the texts
 * themselves are not stored.
 */
export const keyedHash = (key: Redacted.Redacted<Buffer>, text: string): Buffer =>
  createHmac("sha256", Redacted.value(key)).update(text).digest()

/**
 * The encryption keys of the pod. The pod encrypts with the first key. The other keys are former keys, which the pod
 * needs to decrypt older values.
 */
export type PodKeys = Array.NonEmptyReadonlyArray<Redacted.Redacted<Buffer>>

/** The keys are derived from the values of `POD_ENCRYPTION_KEY` or from the secret in the data directory. */
export class EncryptionKeys extends Context.Tag("pod/EncryptionKeys")<EncryptionKeys, PodKeys>() {
  static readonly layer = ([first, ...former]: Array.NonEmptyReadonlyArray<Redacted.Redacted>) => {
    const derived = (secret: Redacted.Redacted) => derivedKey(Redacted.value(secret), "encryption")
    return Layer.succeed(this, [derived(first), ...former.map(derived)])
  }
}

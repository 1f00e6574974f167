/** The secret text of a key: how the pod makes it, which form it has, and how the pod hashes it. */
import { Redacted } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"

export const keyPrefixes = ["svc_user_", "svc_hub_live_", "svc_hub_test_"] as const
export type KeyPrefix = (typeof keyPrefixes)[number]

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
// the number of base62 digits for 256 random bits
const randomLength = 43
// the number of base62 digits for a checksum of 32 bits
const checksumLength = 6
// the maximum length of a key in characters; the pod has never made a longer key
export const keyLengthMax = 256
/** The number of characters after the prefix in a key that this pod makes. */
export const ownTailLength = randomLength + checksumLength
/**
 * The three lengths that existing keys can have after the prefix: the length of 32 bytes in base64url, the length in a
 * key that this pod makes, and the length of 32 bytes in hex.
 */
export const tailLengths: ReadonlyArray<number> = [43, ownTailLength, 64]

const base62 = (value: bigint, length: number): string => {
  let rest = value
  let text = ""
  for (let at = 0; at < length; at++) {
    text = alphabet[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

/**
 * Makes a new key: the prefix, 256 random bits in base62, and the CRC32 checksum of these two parts in base62. With the
 * checksum, a program can detect a typing error without asking the pod.
 */
export const mintSecret = (prefix: KeyPrefix): Redacted.Redacted => {
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString("hex")}`), randomLength)
  return Redacted.make(body + checksum(body))
}

/**
 * The pattern of the keys that this pod makes. It is published, so that programs that search for leaked secrets can
 * find such keys.
 */
export const keyForm = /^svc_(?:user|hub_live|hub_test)_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/

/**
 * Classifies a credential by its text.
 * - `foreign`: the text has none of the pod's prefixes, nothing after the prefix, too many characters, or a character
 * that a key cannot have.
 * - `mistyped`: the text has the form of the keys that this pod makes, but a wrong checksum.
 * - `plausible`: every other text. Older keys have another form and no checksum, and they stay valid.
 */
export const shapeOf = (secret: string): "foreign" | "mistyped" | "plausible" => {
  const prefix = keyPrefixes.find((candidate) => secret.startsWith(candidate))
  if (prefix === undefined || secret.length === prefix.length || secret.length > keyLengthMax) return "foreign"
  if (!/^[\x21-\x7e]+$/.test(secret)) return "foreign"
  return keyForm.test(secret) && checksum(secret.slice(0, -checksumLength)) !== secret.slice(-checksumLength)
    ? "mistyped"
    : "plausible"
}

/**
 * Returns the HMAC-SHA-256 of the whole key with the pepper, as 32 bytes. A fast hash is enough, because nobody can
 * guess 256 random bits.
 */
export const hashSecret = (pepper: Redacted.Redacted, secret: string): Buffer =>
  createHmac("sha256", Redacted.value(pepper)).update(secret).digest()

/** Returns the last four characters, by which people tell their keys apart. */
export const lastFourOf = (secret: Redacted.Redacted): string => Redacted.value(secret).slice(-4)

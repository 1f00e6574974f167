/** The secret text of a key: how it is made, what form it has, and how it is hashed. */
import { Redacted } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"

export const keyPrefixes = ["svc_user_", "svc_hub_live_", "svc_hub_test_"] as const
export type KeyPrefix = (typeof keyPrefixes)[number]

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const randomLength = 43 // base62 digits, enough for 256 bits
const checksumLength = 6 // base62 digits that hold 32 bits
export const longest = 256 // characters; no key that was ever minted is longer
/** The number of characters after the prefix in a key that this pod makes. */
export const ownTailLength = randomLength + checksumLength
/** The lengths, after the prefix, of all keys in use: 32 bytes in base64url, this pod's own form, 32 bytes in hex. */
export const tailLengths: ReadonlyArray<number> = [43, ownTailLength, 64]

const base62 = (value: bigint, length: number): string => {
  let left = value
  let text = ""
  for (let at = 0; at < length; at++) {
    text = alphabet[Number(left % 62n)] + text
    left /= 62n
  }
  return text
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

/**
 * Makes a new key: the prefix, 256 random bits in base62, and a CRC32 of both in base62, so that a program can detect a
 * typing error without asking the pod.
 */
export const mintSecret = (prefix: KeyPrefix): Redacted.Redacted => {
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString("hex")}`), randomLength)
  return Redacted.make(body + checksum(body))
}

/** The published pattern of keys, so that programs that search for leaked secrets can find them. */
export const keyForm = /^svc_(?:user|hub_live|hub_test)_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/

/**
 * Classifies a credential by its text: `foreign` (none of the pod's prefixes, or nothing after the prefix), `mistyped`
 * (the pod's form with a wrong checksum), or `plausible`. Keys with other tail lengths are in use and stay valid.
 */
export const shapeOf = (secret: string): "foreign" | "mistyped" | "plausible" => {
  const prefix = keyPrefixes.find((candidate) => secret.startsWith(candidate))
  if (prefix === undefined || secret.length === prefix.length || secret.length > longest) return "foreign"
  if (!/^[\x21-\x7e]+$/.test(secret)) return "foreign"
  return keyForm.test(secret) && checksum(secret.slice(0, -checksumLength)) !== secret.slice(-checksumLength)
    ? "mistyped"
    : "plausible"
}

/**
 * HMAC-SHA-256 of the whole key with the pepper, 32 bytes. A fast hash is enough, because 256 random bits cannot be
 * guessed.
 */
export const hashSecret = (pepper: Redacted.Redacted, secret: string): Buffer =>
  createHmac("sha256", Redacted.value(pepper)).update(secret).digest()

/** The last four characters, by which people tell their keys apart. */
export const lastFourOf = (secret: Redacted.Redacted): string => Redacted.value(secret).slice(-4)

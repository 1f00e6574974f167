/**
 * The keys of a vault. Each vault has a random data key, which encrypts the values of the vault. The data key is stored
 * encrypted with the key of the pod. If the person has made a recovery key, the data key is also stored encrypted with
 * the recovery key.
 */
import { Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { derivedKey, keyedHash, open, type PodKeys, seal, type SealedPlace } from "../../platform/Encryption.ts"

type Key = Redacted.Redacted<Buffer>

const dataKeyPlace = (personId: string): SealedPlace => [personId, personId, "data key"]
const recoveryPlace = (personId: string): SealedPlace => [personId, personId, "recovered data key"]

export type EntryField = "value" | "notes"

export const sealDataKey = ([podKey]: PodKeys, personId: string, dataKey: Key): Buffer =>
  seal(podKey, Redacted.value(dataKey), dataKeyPlace(personId))

/** Decrypts the data key of a vault. Returns None if no key of the pod can decrypt the data key. */
export const openDataKey = (podKeys: PodKeys, personId: string, sealed: Buffer): Option.Option<Key> =>
  Option.firstSomeOf(
    podKeys.map((podKey) =>
      Option.map(Option.fromNullable(open(podKey, sealed, dataKeyPlace(personId))), (bytes) => Redacted.make(bytes))
    )
  )

export const sealField = (
  dataKey: Key,
  { id, personId }: { readonly id: string; readonly personId: string },
  field: EntryField,
  text: string
): Buffer => seal(dataKey, Buffer.from(text), [personId, id, field])

export const openField = (
  dataKey: Key,
  { id, personId }: { readonly id: string; readonly personId: string },
  field: EntryField,
  sealed: Buffer
): Option.Option<string> =>
  Option.map(Option.fromNullable(open(dataKey, sealed, [personId, id, field])), (bytes) => bytes.toString("utf8"))

/**
 * Returns a keyed hash of the value. Equal values in one vault have equal hashes, so the pod can find values that are
 * used several times.
 */
export const valueHash = (dataKey: Key, value: string): Buffer =>
  keyedHash(derivedKey(Redacted.value(dataKey), "vault reuse"), value)

const recoveryBytes = 32

/** Makes a new recovery key: 256 random bits, written in groups so that people can copy the key from paper. */
export const makeRecoveryKey = (): Redacted.Redacted =>
  Redacted.make(`pod-${(randomBytes(recoveryBytes).toString("hex").match(/.{8}/g) ?? []).join("-")}`)

/**
 * Computes the encryption key from the recovery key that a person typed. Ignores letter case, spaces and hyphens.
 * Returns undefined if the text does not have the form of a recovery key.
 */
const recoveryKeyOf = (written: Redacted.Redacted): Key | undefined => {
  const digits = Redacted.value(written).toLowerCase().replaceAll(/[\s-]/g, "").replace(/^pod/, "")
  return /^[0-9a-f]{64}$/.test(digits) ? derivedKey(Buffer.from(digits, "hex"), "vault recovery") : undefined
}

export interface SealedRecovery {
  /**
   * A hash that shows whether a given recovery key is right. If the recovery key is right but does not decrypt
   * `sealedKey`, somebody has changed `sealedKey`.
   */
  readonly hash: Buffer
  readonly sealedKey: Buffer
}

const hashLabel = "pod vault recovery key"

/** Makes the stored form of a recovery key. The recovery key cannot be computed from this form. */
export const sealForRecovery = (
  written: Redacted.Redacted,
  personId: string,
  dataKey: Key
): SealedRecovery | undefined => {
  const key = recoveryKeyOf(written)
  if (key === undefined) return undefined
  return {
    hash: keyedHash(key, hashLabel),
    sealedKey: seal(key, Redacted.value(dataKey), recoveryPlace(personId))
  }
}

/**
 * Decrypts the data key of the vault with the recovery key `written`. Returns None if `written` is not the recovery key
 * of this vault.
 */
export const recoverDataKey = (
  written: Redacted.Redacted,
  personId: string,
  { hash, sealedKey }: SealedRecovery
): Option.Option<Key> => {
  const key = recoveryKeyOf(written)
  if (key === undefined || !keyedHash(key, hashLabel).equals(hash)) return Option.none()
  return Option.map(Option.fromNullable(open(key, sealedKey, recoveryPlace(personId))), (bytes) => Redacted.make(bytes))
}

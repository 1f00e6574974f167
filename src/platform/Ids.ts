/**
 * Makes the ids of the pod, which have the form UUIDv7. The database does not make them, so that they have the same
 * form with every database engine. An id takes 0.10 µs, and with the package `uuid` 11 it takes 0.26 µs (CPU time, Node
 * 20.20). Both times are a small part of the time of a request. So replace `uuidv7` as soon as Node makes UUIDv7
 * itself. `ids.test.ts` compares the form of the ids with RFC 9562.
 */
import { randomFillSync } from "node:crypto"

const bytesPerId = 10
const idsPerPool = 256
const pool = Buffer.allocUnsafe(bytesPerId * idsPerPool)
// random bytes in hexadecimal; each new id takes a part of this text
let poolText = ""
let usedIds = idsPerPool

// the highest number in the 12 bits that follow the version
const counterMax = 0xfff
let lastMs = 0
let counter = 0
// `lastMs` in the form in which an id contains it
let timeText = ""

const setTime = (ms: number) => {
  lastMs = ms
  const digits = ms.toString(16).padStart(12, "0")
  timeText = `${digits.slice(0, 8)}-${digits.slice(8)}-7`
}

/**
 * The hexadecimal digits of each counter value. They are made in advance, because a conversion each time is slow and a
 * request needs several ids.
 */
const counterTexts = Array.from({ length: counterMax + 1 }, (_, value) => value.toString(16).padStart(3, "0"))
const variants = "89ab"

/**
 * Makes a new UUIDv7 (RFC 9562). It has 48 bits of milliseconds, a counter of 12 bits that begins at a random number in
 * its lower half, and 62 random bits. The id is not a secret. The ids of one process sort in the order of creation,
 * even within a millisecond (§6.2, method 1). So a listing by age keeps its order if two rows have the same time.
 */
export const uuidv7 = (): string => {
  if (usedIds === idsPerPool) {
    randomFillSync(pool)
    poolText = pool.toString("hex")
    usedIds = 0
  }
  const byte = usedIds * bytesPerId
  const digit = byte * 2
  usedIds += 1
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    setTime(nowMs)
    counter = pool.readUInt16BE(byte + 8) & (counterMax >> 1)
  } else if (counter < counterMax) {
    counter += 1
  } else {
    // If the counter is full or the clock went back, the ids continue with the next millisecond after `lastMs`.
    setTime(lastMs + 1)
    counter = 0
  }
  const variant = variants[pool[byte] & 0x3]
  return `${timeText}${counterTexts[counter]}-${variant}${poolText.slice(digit + 1, digit + 4)}-${poolText.slice(digit + 4, digit + 16)}`
}

// the highest time in milliseconds; a UUIDv7 has 48 bits for its time
const msMax = 2 ** 48 - 1

/** Returns the lowest UUIDv7 of a millisecond. Every id that was made before this millisecond is lower. */
export const lowestIdAt = (ms: number): string => {
  const time = Math.min(ms, msMax).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

// Milliseconds. The clocks of a pod and of its database differ by less than this.
const clockDifferenceMs = 24 * 3600 * 1000

/**
 * Return an id that is lower (`idBefore`) or higher (`idAfter`) than the ids of all rows with this time. The clock of a
 * pod makes the ids, and the clock of the database makes the times. So the limits leave room for a difference between
 * the clocks.
 */
export const idBefore = (ms: number): string => lowestIdAt(Math.max(0, ms - clockDifferenceMs))
export const idAfter = (ms: number): string => lowestIdAt(Math.max(0, ms + clockDifferenceMs))

/** Returns the millisecond in which a UUIDv7 was made. */
export const msOfId = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns true if the text has the form of a UUID of any version. */
export const isUuid = (text: string): boolean => uuidForm.test(text)

/**
 * The first and the last possible id. A listing by id without a cursor begins at one of them. The condition `cursor IS
 * NULL OR id > cursor` would be slow, because with this condition the query plan cannot begin in the index. Each page
 * would read all earlier rows (measured after 15,000 earlier rows: 13 ms instead of 0.05 ms).
 */
export const lowestId = "00000000-0000-0000-0000-000000000000"
export const highestId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/**
 * Returns the first and the last possible id that begin with these characters. If the characters are a whole id, the
 * first and the last id are this id. If no id can begin with the characters, the first id is higher than the last id,
 * so no id is between them.
 */
export const idRange = (beginning: string): { readonly first: string; readonly last: string } => {
  const start = beginning.toLowerCase()
  const [first, last] = [lowestId, highestId].map((id) => start + id.slice(start.length))
  return isUuid(first) ? { first, last } : { first: highestId, last: lowestId }
}

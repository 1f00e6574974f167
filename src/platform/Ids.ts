/** Identifiers: UUIDv7, made by the pod itself, so that they have the same form on every engine and node. */
import { randomFillSync } from "node:crypto"

const pool = Buffer.allocUnsafe(10 * 256)
let used = pool.length

const counterMax = 0xfff // the 12 bits after the version
let lastMs = 0
let counter = 0

/**
 * A new UUIDv7 (RFC 9562): 48 bits of milliseconds, a counter of 12 bits that begins at a random number in its lower
 * half, and 62 random bits. It is not a secret. The ids of one process sort in the order of creation, also within a
 * millisecond (§6.2, method 1), so a listing by age stays in order when two rows have the same time.
 */
export const uuidv7 = (): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.toString("hex", used, (used += 10))
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = parseInt(random.slice(0, 3), 16) >> 1
  } else if (counter < counterMax) {
    counter += 1
  } else {
    // The counter is full, or the clock went back: continue as if the next millisecond had come.
    lastMs += 1
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, "0")
  const order = counter.toString(16).padStart(3, "0")
  const variant = ((parseInt(random[3], 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text has the form of a UUID of any version. */
export const isUuid = (text: string): boolean => uuidForm.test(text)

/**
 * Where a listing by id begins that has no cursor. A condition `cursor IS NULL OR id > cursor` would keep the plan of the statement
 * from beginning in the index: each page would read all rows before it (measured: 13 ms instead of 0.05 with 15,000 rows before).
 */
export const lowestId = "00000000-0000-0000-0000-000000000000"
export const highestId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

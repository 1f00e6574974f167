/** Identifiers: UUIDv7, made in the application so that every engine and every node agrees on their form. */
import { randomFillSync } from "node:crypto"

const pool = Buffer.allocUnsafe(10 * 256)
let used = pool.length

/** A fresh UUIDv7 (RFC 9562): 48 bits of milliseconds, then 74 random bits. Sorts by creation time; is no secret. */
export const uuidv7 = (nowMs: number = Date.now()): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const time = nowMs.toString(16).padStart(12, "0")
  const random = pool.toString("hex", used, (used += 10))
  const variant = ((parseInt(random[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text has the form of a UUID of any version. */
export const isUuid = (text: string): boolean => uuidForm.test(text)

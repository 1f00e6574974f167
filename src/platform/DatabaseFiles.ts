/**
 * Checks the files that the embedded engine reads first. These are the control file and the log record of the
 * checkpoint that the control file names. If one of them is damaged, the engine aborts without giving a reason, and
 * only after it has begun to write.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The major version of PostgreSQL in the engine, as the file `PG_VERSION` contains it. */
export const engineVersion = "18"

// place of the checksum in the control file of a 32-bit build; the checksum covers all bytes before this place
const crcAt = 292
const checkpointAt = 32
const segmentBytes = 16 * 1024 * 1024
const pageBytes = 8192
// bytes of the header of a log record; its last four bytes are the checksum
const recordHeadBytes = 24
// the maximum number of bytes of a log record that is accepted; the record of a checkpoint has about a hundred bytes
const recordMaxBytes = 1024

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

/** Computes the checksum CRC-32C. The engine protects the control file and the records of its log with it. */
const crcOf = (...parts: ReadonlyArray<Buffer>): number => {
  let crc = 0xffffffff
  for (const part of parts) for (const byte of part) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 255] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0")

/** Returns `count` bytes of a log file, beginning at the offset `from`, without the page headers between them. */
const withoutPageHeads = (segment: Buffer, from: number, count: number): Buffer => {
  const parts: Array<Buffer> = []
  let at = from
  let remaining = count
  while (remaining > 0 && at < segment.length) {
    // skips the short header of a page, which has 20 bytes and is rounded up to 24
    if (at % pageBytes === 0) at += recordHeadBytes
    const part = segment.subarray(at, Math.min(at + remaining, at - (at % pageBytes) + pageBytes))
    parts.push(part)
    remaining -= part.length
    at += part.length
  }
  return Buffer.concat(parts)
}

const isWholeRecord = (segment: Buffer, at: number): boolean => {
  if (segment.length !== segmentBytes) return false
  const head = withoutPageHeads(segment, at, recordHeadBytes)
  // the record continues in the next file, where the engine checks it
  if (head.length < recordHeadBytes) return true
  const length = head.readUInt32LE(0)
  if (length < recordHeadBytes || length > recordMaxBytes) return false
  const record = withoutPageHeads(segment, at, length)
  if (record.length < length) return true
  return (
    crcOf(record.subarray(recordHeadBytes), record.subarray(0, recordHeadBytes - 4)) ===
    record.readUInt32LE(recordHeadBytes - 4)
  )
}

/** Returns the name of the log file that contains a position. An embedded database has only one timeline. */
const segmentName = (position: bigint): string => {
  const number = position / BigInt(segmentBytes)
  const perName = 0x1_0000_0000n / BigInt(segmentBytes)
  return `00000001${hex(number / perName)}${hex(number % perName)}`
}

/**
 * Returns the fault in the files of a database, as the end of a sentence. Returns undefined if the files have no fault.
 * Changes nothing.
 */
export const damageIn = (directory: string): string | undefined => {
  const version = readFileSync(join(directory, "PG_VERSION"), "utf8").trim()
  if (version !== engineVersion) {
    return `PostgreSQL ${version.slice(0, 20)} made it, but this pod has the engine of PostgreSQL ${engineVersion}`
  }
  const control = readFileSync(join(directory, "global/pg_control"))
  if (control.length < crcAt + 4 || crcOf(control.subarray(0, crcAt)) !== control.readUInt32LE(crcAt)) {
    return "the control file global/pg_control is damaged"
  }
  const checkpoint = control.readBigUInt64LE(checkpointAt)
  const name = segmentName(checkpoint)
  const segment = (() => {
    try {
      return readFileSync(join(directory, "pg_wal", name))
    } catch {
      return undefined
    }
  })()
  if (segment === undefined) return `the file pg_wal/${name} of its log is missing`
  return isWholeRecord(segment, Number(checkpoint % BigInt(segmentBytes)))
    ? undefined
    : `the file pg_wal/${name} of its log is damaged`
}

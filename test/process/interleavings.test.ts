/**
 * A proposal is applied once, and exactly as a person approved it, whatever the order of edits, approvals, rejections,
 * writes and revocations of keys.
 */
import { holdsInInterleavings } from "../support/interleavingSuite.ts"
import { postgresUrl } from "../support/postgres.ts"

// PostgreSQL allows more orders of concurrent statements than PGlite, which runs one statement at a time. The long test
// run uses both.
holdsInInterleavings(postgresUrl === null ? { onPglite: 10 } : { onPostgres: 10 })

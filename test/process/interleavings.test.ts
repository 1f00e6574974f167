/**
 * A proposal is applied once and exactly as a person approved it, in any order of edits, approvals, rejections,
 * revocations of keys and writes.
 */
import { holdsInInterleavings } from "../support/interleavingSuite.ts"
import { postgresUrl } from "../support/postgres.ts"

// PGlite runs one statement at a time, so PostgreSQL allows every order that PGlite allows. The long test run uses
// both.
holdsInInterleavings(postgresUrl === null ? { onPglite: 10 } : { onPostgres: 10 })

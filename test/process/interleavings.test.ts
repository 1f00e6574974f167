/**
 * A proposal is applied as a person approved it, and once, in any order of edits, approvals, rejections, revoked keys
 * and writes.
 */
import { holdsInInterleavings } from "../support/interleavingSuite.ts"
import { postgresUrl } from "../support/postgres.ts"

// PGlite runs one statement at a time, so its orders are among those of PostgreSQL. The long run has both.
holdsInInterleavings(postgresUrl === null ? { onPglite: 10 } : { onPostgres: 10 })

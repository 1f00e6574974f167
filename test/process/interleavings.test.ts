/**
 * A proposal is applied as a person approved it, and once, in any order of edits, approvals, rejections, revoked keys
 * and writes.
 */
import { holdsInInterleavings } from "../support/interleavingSuite.ts"

holdsInInterleavings({ onPglite: 20, onPostgres: 30 })

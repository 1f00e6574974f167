/** What is applied is what a person approved, once, however edits, approvals, rejections, dead keys and writes meet. */
import { holdsInInterleavings } from "../support/interleavingSuite.ts"

holdsInInterleavings({ onPglite: 60, onPostgres: 120 })

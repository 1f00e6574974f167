/** A thousand interleavings around proposals: what is applied is what a person approved, once. */
import { holdsInInterleavings } from "../support/interleavingSuite.ts"

holdsInInterleavings({ onPglite: 250, onPostgres: 750 })

/** A thousand interleavings around proposals: each is applied as a person approved it, and once. */
import { holdsInInterleavings } from "../support/interleavingSuite.ts"

holdsInInterleavings({ onPglite: 250, onPostgres: 750 })

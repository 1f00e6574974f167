/**
 * A thousand random orders of concurrent requests about a proposal: the pod applies the proposal once, and exactly as a
 * person approved it.
 */
import { holdsInInterleavings } from "../support/interleavingSuite.ts"

holdsInInterleavings({ onPglite: 250, onPostgres: 750 })

/**
 * Tests a thousand random orders of concurrent requests about a proposal. The pod must apply the proposal once, and
 * exactly as a person approved it.
 */
import { holdsInInterleavings } from "../support/interleavingSuite.ts"

holdsInInterleavings({ onPglite: 250, onPostgres: 750 })

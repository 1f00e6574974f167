/**
 * Makes the service `StandingReach`, which computes the reach of work that the pod does later for a person. The service
 * made here needs only the stores of people and keys.
 */
import { Effect, Layer } from "effect"
import { StandingReach } from "../../src/features/access/StandingReach.ts"
import { KeyStore } from "../../src/features/keys/KeyStore.ts"
import { Keys } from "../../src/features/keys/Keys.ts"
import { People } from "../../src/features/people/People.ts"
import { PeopleStore } from "../../src/features/people/PeopleStore.ts"

// The real services `People` and `Keys` need the gate and other services. `StandingReach` uses one function of `People`
// and one of `Keys`. Both services only pass these functions on from their stores, so this file takes them from there.
const people = Layer.effect(
  People,
  Effect.map(PeopleStore, ({ accessOf }) => ({ accessOf }) as typeof People.Service)
)
const keys = Layer.effect(
  Keys,
  Effect.map(KeyStore, ({ successorOf }) => ({ successorOf }) as typeof Keys.Service)
)

export const standing = StandingReach.layer.pipe(Layer.provide(Layer.merge(people, keys)))

/**
 * What the store of the active provider guarantees on each engine: it uses only a provider of the person who owns the
 * pod.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Provider } from "../../../src/features/providers/Provider.ts"
import { ProviderStore } from "../../../src/features/providers/ProviderStore.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPassed } from "../../support/passed.ts"
import { aPerson } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { type Stores, withReach } from "../../support/stores.ts"

export const providerStoreContract = (stores: Layer.Layer<Stores>): void => {
  it.effect("the pod does not use the active model provider of a person who is not the owner of the pod", () =>
    Effect.gen(function* () {
      const personId = yield* aPerson
      const fields = {
        name: "Theirs",
        kind: "chat" as const,
        url: "https://models.example.com/v1",
        model: "theirs",
        credentialId: null,
        isActive: true
      }
      const records = yield* Records
      const event = { type: "provider.create", data: {} }
      yield* withReach(aReach({ personId }))(
        records.add(Provider, { id: uuidv7(), spaceId: personId, fields }, event, aPassed)
      )
      const { active } = yield* ProviderStore
      assert.notStrictEqual((yield* active("chat"))?.ownerId, personId)
    }).pipe(Effect.provide(stores))
  )
}

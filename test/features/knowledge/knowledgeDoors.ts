/**
 * Calls the knowledge operations of the Hub as a surface does: with the access checks, the decoding and the rules of
 * each operation. Uses the store in memory.
 */
import { HttpApi } from "@effect/platform"
import { it } from "@effect/vitest"
import { Context, Effect, Either, Layer } from "effect"
import { Invalid } from "../../../src/doors/Failure.ts"
import { Implementations } from "../../../src/doors/Implement.ts"
import { compileRest, type RestOperation } from "../../../src/doors/Operation.ts"
import { Reach, type ReachShape } from "../../../src/doors/Reach.ts"
import { wireAnswerOf } from "../../../src/doors/WireAnswer.ts"
import { doorRefusal } from "../../../src/features/access/Admission.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { Knowledge } from "../../../src/features/knowledge/Knowledge.ts"
import { KnowledgeChanger } from "../../../src/features/knowledge/KnowledgeChanger.ts"
import { KnowledgeApi } from "../../../src/features/knowledge/KnowledgeApi.ts"
import { layer as handlers } from "../../../src/features/knowledge/KnowledgeHandlers.ts"
import { KnowledgeStore } from "../../../src/features/knowledge/KnowledgeStore.ts"
import { MemoryDatabase } from "../../../src/platform/MemoryDatabase.ts"
import { gateAlone } from "../../support/gate.ts"

class Operations extends Context.Tag("test/Operations")<Operations, ReadonlyArray<RestOperation>>() {}

export const api = HttpApi.make("hub").add(KnowledgeApi)

const pod = Layer.effect(
  Operations,
  Effect.map(Implementations, (implementations) => compileRest(api, implementations))
).pipe(
  Layer.provide(handlers),
  Layer.provide(Knowledge.layer),
  Layer.provide(KnowledgeChanger.layer),
  Layer.provide([KnowledgeStore.layerMemory, gateAlone()]),
  Layer.provideMerge(EventLog.layerMemory),
  Layer.provide(MemoryDatabase.layer),
  Layer.provide(Implementations.layer)
)

interface Asked {
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends a request as a surface does. Returns the status and the body of the answer. */
export const ask = (reach: ReachShape, name: string, { key, query = {}, body }: Asked = {}) =>
  Effect.gen(function* () {
    const operation = (yield* Operations).find((one) => one.name === `knowledge.${name}`)
    if (operation === undefined) return yield* Effect.dieMessage(`there is no knowledge.${name}`)
    const answered = Effect.gen(function* () {
      const refusal = doorRefusal(reach.principal, operation.door)
      if (refusal !== null) return yield* refusal
      const path = key === undefined ? {} : { key }
      const input = yield* Either.mapLeft(operation.decode({ path, query, body }), (faults) => new Invalid({ faults }))
      const run = Effect.catchTag(operation.run(input), "Proposed", () => Effect.dieMessage("an entry was proposed"))
      return operation.encode(yield* Effect.provideService(run, Reach, reach))
    })
    return yield* Effect.match(answered, {
      onFailure: (failure) => ({ status: wireAnswerOf(failure).status, body: wireAnswerOf(failure).body }),
      onSuccess: (answer) => ({ status: 200, body: answer as Body })
    })
  })

/** The JSON body of any answer. A test reads the fields that it needs. */
export type Body = Readonly<Record<string, unknown>>

export const keysOf = (body: unknown) => (body as ReadonlyArray<{ readonly key: string }>).map(({ key }) => key)

export const typesOf = (reach: ReachShape) =>
  Effect.flatMap(EventLog, (log) => Effect.provideService(log.list({ limit: 50 }), Reach, reach)).pipe(
    Effect.map(({ items }) => items.map(({ type }) => type).toReversed())
  )

export const rule = <E>(name: string, work: Effect.Effect<void, E, Operations | EventLog>) =>
  it.effect(name, () => Effect.provide(work, pod))

/** Temporary. */
import { it, assert } from "@effect/vitest"
import { Effect } from "effect"
import { Profiles } from "../../../src/features/profiles/Profiles.ts"
import { NamesakeStore } from "../../../src/features/entities/NamesakeStore.ts"
import { EntityStore } from "../../../src/features/entities/EntityStore.ts"
import { aMember, throughKey } from "../../support/people.ts"
import { by, onEachDatabase } from "../../support/stores.ts"
import { added, anEntity } from "./entityCalls.ts"
import { writeFileSync, appendFileSync } from "node:fs"
onEachDatabase("speed", (stores) => {
  it.effect("x", () => Effect.gen(function* () {
    const { spaceId, reach: r } = yield* aMember()
    const reach = yield* throughKey(r)
    const { schemaFor } = yield* Profiles
    const { alike } = yield* NamesakeStore
    const store = yield* EntityStore
    const e = yield* added(reach, anEntity({ spaceId }))
    const run = (name: string, work: Effect.Effect<unknown, unknown, any>, n = 600) => Effect.gen(function* () {
      for (let i = 0; i < 100; i++) yield* by(reach)(work) as any
      const t = performance.now()
      for (let i = 0; i < n; i++) yield* by(reach)(work) as any
      appendFileSync("/tmp/speed.txt", `${name} ${((performance.now() - t) / n).toFixed(3)} ms\n`)
    })
    yield* run("add", Effect.suspend(() => added(reach, anEntity({ spaceId }))))
    yield* run("add with signals", Effect.suspend(() => added(reach, anEntity({ spaceId, properties: { email: `a${Math.random()}@example.com` } }))))
    yield* run("get", store.get(e.id))
    yield* run("schemaFor", schemaFor("note", spaceId))
    yield* run("alike", alike({ nameKey: "nobody", kinds: ["person"], signals: [{ name: "email", value: "x@y.zz" }], spaces: [spaceId] }))
  }).pipe(Effect.provide(stores)) as any, 120000)
})

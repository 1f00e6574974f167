/**
 * What the store that counts proactive posts guarantees on each engine. Each person has a limit of posts in each
 * workspace, even if many posts come at the same moment.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { PostCountStore } from "../../../src/features/proactive/PostCountStore.ts"
import { limits } from "../../../src/features/proactive/ProactivePost.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { Transaction } from "../../../src/platform/Transaction.ts"
import { aMember } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

const take = (reach: ReachShape, workspaceId: string) =>
  Effect.flatMap(Transaction, ({ exclusively }) =>
    exclusively(
      `posts ${reach.principal.personId} ${workspaceId}`,
      withReach(reach)(Effect.flatMap(PostCountStore, (store) => store.take(workspaceId)))
    )
  )

export const postCountStoreContract = (stores: Layer.Layer<Stores>): void => {
  it.effect(
    "if many proactive posts come at the same moment, the pod accepts no more posts than the hourly limit allows",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const many = Array.from({ length: limits.hour + 5 }, () => take(reach, spaceId))
        const answers = yield* Effect.all(many, { concurrency: "unbounded" })
        assert.strictEqual(answers.filter((limit) => limit === null).length, limits.hour)
        assert.strictEqual(answers.filter((limit) => limit === "hour").length, 5)
      }).pipe(Effect.provide(stores))
  )

  it.effect("each person has a separate count of proactive posts for each workspace", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      for (let count = 0; count < limits.hour; count++) yield* take(reach, spaceId)
      assert.strictEqual(yield* take(reach, spaceId), "hour")
      assert.isNull(yield* take(reach, uuidv7()))
      assert.isNull(yield* take(aReach({ spaces: [spaceId] }), spaceId))
    }).pipe(Effect.provide(stores))
  )

  it.effect("the pod refuses a proactive post from a call that cannot access the person's own space", () =>
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const confined = aReach({ personId, spaces: [spaceId], workspaceId: spaceId })
      assert.strictEqual(yield* take(confined, spaceId), "hour")
    }).pipe(Effect.provide(stores))
  )
}

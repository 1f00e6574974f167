/** Profiles: the kinds of entity the pod knows. Every pod has the seeded ones; workspaces may add their own. */
import { Context, Effect, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"

/** The kinds that the first migration seeds. */
export const seededKinds: ReadonlyArray<string> = ["note", "knowledge", "person", "company", "task", "portfolio"]

export class Profiles extends Context.Tag("pod/Profiles")<
  Profiles,
  {
    /** The slugs of every kind that exists in a space the caller's person belongs to, or in every pod. */
    readonly kinds: Effect.Effect<ReadonlySet<string>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.succeed(this, { kinds: Effect.succeed(new Set(seededKinds)) })
}

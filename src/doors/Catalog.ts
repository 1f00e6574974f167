/** Every operation of the running pod, as compiled at start: what surfaces serve and references are written from. */
import { Context, Deferred, Effect, Layer } from "effect"
import type { ProcedureOperation, RestOperation, ToolOperation } from "./Operation.ts"

export interface CatalogShape {
  readonly rest: ReadonlyArray<RestOperation>
  /** By path, such as `entities.getEntities`. */
  readonly procedures: ReadonlyMap<string, ProcedureOperation>
  readonly tools: ReadonlyMap<string, ToolOperation>
}

/** Filled once, after every handler is bound: some handlers answer from it. */
export class Catalog extends Context.Tag("pod/Catalog")<
  Catalog,
  {
    readonly compiled: Effect.Effect<CatalogShape>
    readonly complete: (catalog: CatalogShape) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Deferred.make<CatalogShape>(), (compiled) => ({
      compiled: Deferred.await(compiled),
      complete: (catalog) => Effect.asVoid(Deferred.succeed(compiled, catalog))
    }))
  )
}

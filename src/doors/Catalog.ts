/**
 * Every operation of the running pod, compiled at start. Surfaces serve these operations, and the API references are
 * generated from them.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import type { ProcedureOperation, RestOperation, ToolOperation } from "./Operation.ts"

export interface CatalogShape {
  readonly rest: ReadonlyArray<RestOperation>
  /** The procedures by path, such as `entities.getEntities`. */
  readonly procedures: ReadonlyMap<string, ProcedureOperation>
  readonly tools: ReadonlyMap<string, ToolOperation>
}

/**
 * The operations of the pod. The catalog is filled once, after every handler is bound, because some handlers read the
 * catalog.
 */
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

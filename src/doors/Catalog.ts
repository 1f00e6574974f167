/**
 * Every operation of the running pod, compiled at start. Surfaces serve these operations, and the API references are
 * generated from them.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import { openedRowByRow } from "./Door.ts"
import type { Operation, ProcedureOperation, RestOperation, ToolOperation } from "./Operation.ts"

export interface CatalogShape {
  readonly rest: ReadonlyArray<RestOperation>
  /** The procedures by path, such as `entities.getEntities`. */
  readonly procedures: ReadonlyMap<string, ProcedureOperation>
  readonly tools: ReadonlyMap<string, ToolOperation>
}

/**
 * Returns the catalog for a pod whose setting lets keys with limited grants call operations that read several kinds of
 * records. If such an operation applies the limits of the grant to each row that it reads, its door lets more keys
 * pass. All other doors stay the same.
 */
export const openRowByRow = ({ procedures, rest, tools }: CatalogShape): CatalogShape => {
  const opened = <A extends Operation>(operation: A): A => ({ ...operation, door: openedRowByRow(operation.door) })
  return {
    rest: rest.map(opened),
    procedures: new Map(Array.from(procedures, ([path, operation]) => [path, opened(operation)])),
    tools: new Map(Array.from(tools, ([name, operation]) => [name, opened(operation)]))
  }
}

/**
 * Gives handlers access to the catalog. The catalog is made from the handlers, so this service is empty at first. The
 * pod fills it once, after all handlers are bound.
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

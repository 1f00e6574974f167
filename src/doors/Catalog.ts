/**
 * Every operation of the running pod, compiled at start. REST, tRPC and MCP serve these operations, and the API
 * references are generated from them.
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
 * Returns the catalog for a pod with the setting that opens more operations to keys with limited grants. These
 * operations read several kinds of records. If such an operation applies the limits of the grant to each row, its door
 * lets more keys pass. All other doors stay the same.
 */
export const openRowByRow = ({ procedures, rest, tools }: CatalogShape): CatalogShape => {
  const openOperation = <A extends Operation>(operation: A): A => ({
    ...operation,
    door: openedRowByRow(operation.door)
  })
  return {
    rest: rest.map(openOperation),
    procedures: new Map(Array.from(procedures, ([path, operation]) => [path, openOperation(operation)])),
    tools: new Map(Array.from(tools, ([name, operation]) => [name, openOperation(operation)]))
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

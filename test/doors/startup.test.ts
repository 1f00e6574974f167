/**
 * The checks before the first request: some wrong declarations do not compile, and with others the pod does not start.
 */
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Rpc, RpcGroup } from "@effect/rpc"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Schema } from "effect"
import { mutation, query } from "../../src/doors/DeclareProcedure.ts"
import { open, sessionOnly, read, write } from "../../src/doors/DeclareRest.ts"
import { type AnyTool, tool } from "../../src/doors/DeclareTool.ts"
import { type Door, everybody, operator, rows, writes } from "../../src/doors/Door.ts"
import {
  type AnyHandler,
  Implementations,
  handlerKey,
  implement,
  implementProcedures
} from "../../src/doors/Implement.ts"
import { compileProcedures, compileRest, compileTools } from "../../src/doors/Operation.ts"
import type { Reach } from "../../src/doors/Reach.ts"
import type { StoresThatDiffer } from "../support/freeStoreMethods.ts"

const Done = Schema.Struct({ done: Schema.Boolean })
const door = rows("hub-protocol.read", "entity")
const writeDoor = writes("hub-protocol.write", "entity", ["create"])
const done: AnyHandler = () => Effect.succeed({ done: true })

const bound = (...keys: ReadonlyArray<readonly [Parameters<typeof handlerKey>[0], string]>) =>
  new Map(keys.map(([surface, name]) => [handlerKey(surface, name), done]))

const things = HttpApiGroup.make("things").add(
  read("things.list", { path: "/things", success: Schema.Array(Done), door, summary: "List things." })
)
const apiOf = <G extends HttpApiGroup.HttpApiGroup.Any>(group: G) => HttpApi.make("test").add(group)

describe("a pod with a wrong declaration of an operation does not start", () => {
  it("a pod does not start if an endpoint declares no access rule, and the error contains the name of the endpoint", () => {
    const api = apiOf(things.add(HttpApiEndpoint.get("things.count", "/things/count").addSuccess(Done)))
    const handlers = bound(["rest", "things.list"], ["rest", "things.count"])
    assert.throws(() => compileRest(api, handlers), /GET \/things\/count has no door/)
  })

  it("a pod does not start if a procedure declares no access rule, and the error contains the name of the procedure", () => {
    const group = RpcGroup.make(
      query("things.one", { input: Done, success: Done, door, summary: "One thing." }),
      Rpc.make("things.loose", { payload: Done, success: Done })
    )
    const handlers = bound(["procedure", "things.one"], ["procedure", "things.loose"])
    assert.throws(() => compileProcedures(group, handlers), /procedure things\.loose has no door/)
  })

  it("a pod does not start if a tool declares no access rule, and the error contains the name of the tool", () => {
    const loose = { name: "svc_loose", title: "Loose", input: Done, success: Done, declared: { name: "svc_loose" } }
    // This tool has no door. The compiler accepts a tool without a door only after a cast, or from a module without
    // types.
    const tools = [loose as unknown as AnyTool]
    assert.throws(() => compileTools(tools, bound(["tool", "svc_loose"])), /svc_loose has no door/)
  })

  it("a pod does not start if a REST operation, a procedure or a tool has no handler, and the error contains the name of the operation", () => {
    const procedures = RpcGroup.make(query("things.one", { input: Done, success: Done, door, summary: "One thing." }))
    const tools = [tool("svc_things", { title: "T", input: Done, success: Done, door, summary: "Things." })]
    assert.throws(() => compileRest(apiOf(things), new Map()), /things\.list has a door but no handler/)
    assert.throws(() => compileProcedures(procedures, new Map()), /things\.one has a door but no handler/)
    assert.throws(() => compileTools(tools, new Map()), /svc_things has a door but no handler/)
  })

  it("if only a procedure has a handler, the pod reports that the handler of the REST operation with the same name is missing", () => {
    assert.throws(() => compileRest(apiOf(things), bound(["procedure", "things.list"])), /no handler/)
  })

  it("a pod does not start if two tools have the same name", () => {
    const one = tool("svc_things", { title: "T", input: Done, success: Done, door, summary: "Things." })
    const other = tool("svc_things", { title: "T", input: Done, success: Done, door: writeDoor, summary: "Things." })
    assert.throws(() => compileTools([one, other], bound(["tool", "svc_things"])), /svc_things/)
  })

  it("a pod does not start if two endpoints in different groups have the same name, because the two endpoints would use one handler", () => {
    const more = HttpApiGroup.make("more").add(
      read("things.list", { path: "/more", success: Schema.Array(Done), door, summary: "List more." })
    )
    const api = HttpApi.make("test").add(things).add(more)
    assert.throws(() => compileRest(api, bound(["rest", "things.list"])), /things\.list/)
  })

  it.effect("a pod does not start if two handlers have the same name", () =>
    Effect.gen(function* () {
      const handlers = Effect.succeed({ "things.list": () => Effect.succeed([{ done: true }]) })
      const twice = Layer.merge(implement(things, handlers), implement(things, handlers)).pipe(
        Layer.provide(Implementations.layer)
      )
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(twice)))
      assert.isTrue(Exit.isFailure(exit))
      if (Exit.isFailure(exit)) assert.match(Cause.pretty(exit.cause), /things\.list has two handlers/)
    })
  )

  it.effect("a pod starts if a REST operation and a procedure have handlers with the same name", () =>
    Effect.gen(function* () {
      const procedures = RpcGroup.make(
        query("things.list", { input: Done, success: Schema.Array(Done), door, summary: "List things." })
      )
      const answer = () => Effect.succeed([{ done: true }])
      const both = Layer.merge(
        implement(things, Effect.succeed({ "things.list": answer })),
        implementProcedures(procedures, Effect.succeed({ "things.list": answer }))
      )
      const context = yield* Layer.build(Layer.provideMerge(both, Implementations.layer))
      const handlers = Context.get(context, Implementations)
      assert.strictEqual(compileRest(apiOf(things), handlers).length, 1)
      assert.strictEqual(compileProcedures(procedures, handlers).size, 1)
    }).pipe(Effect.scoped)
  )
})

/**
 * Nothing calls this function, but the compiler checks it. Each line after `@ts-expect-error` must have a type error.
 */
export const doesNotCompile = () => {
  const summary = "Never."
  const success = Done
  // @ts-expect-error a read states its door
  read("never.read", { path: "/never", success, summary })
  // @ts-expect-error a write states its door
  write("never.write", { method: "POST", path: "/never", success, summary })
  // @ts-expect-error a public operation says why it is public
  open("never.open", { path: "/never", success, summary })
  // @ts-expect-error a procedure that reads states its door
  query("never.query", { input: Done, success, summary })
  // @ts-expect-error a procedure that writes states its door
  mutation("never.mutation", { input: Done, success, summary })
  // @ts-expect-error a tool states its door
  tool("svc_never", { title: "Never", input: Done, success, summary })
  // @ts-expect-error undefined is not a door
  read("never.read", { path: "/never", success, summary, door: undefined })
  // @ts-expect-error a read cannot have the door of a write
  read("never.read", { path: "/never", success, summary, door: writeDoor })
  // @ts-expect-error a write cannot have the door of a read
  write("never.write", { method: "POST", path: "/never", success, summary, door })
  // @ts-expect-error a read is not public: `open` declares public operations
  read("never.read", { path: "/never", success, summary, door: everybody("because") })
  // @ts-expect-error a procedure is never public
  query("never.query", { input: Done, success, summary, door: everybody("because") })
  // @ts-expect-error a write names at least one action
  write("never.write", { method: "POST", path: "/never", success, summary, door: { ...writeDoor, actions: [] } })
  // @ts-expect-error a session does not pass the door of the operator, so `sessionOnly` refuses this door
  sessionOnly("never.personal", { method: "POST", path: "/never", success, summary, door: operator("do it", "pod do") })
  // @ts-expect-error an unknown scope does not fit a door
  read("never.read", { path: "/never", success, summary, door: rows("hub-protocol.reed", "entity") })
  // @ts-expect-error an implementation of a group has a handler for each operation
  implement(things, Effect.succeed({}))

  // @ts-expect-error a match on doors must handle every kind of door, and this match leaves out the write door
  const nameOf = (asked: Door): string => {
    switch (asked._tag) {
      case "Public":
      case "Session":
      case "Operator":
      case "Self":
      case "Rows":
      case "SeveralRows":
      case "EveryKind":
      case "FullGrant":
        return asked._tag
    }
  }

  // @ts-expect-error only the pod can make a `Reach` (what a call may touch)
  const reach: Context.Tag.Service<typeof Reach> = {}
  return { nameOf, reach }
}

/**
 * Some store methods need no `Reach` (what the caller may touch). This line compiles only if these methods are exactly
 * those in `freeStoreMethods.ts`. Otherwise the compile error names the store.
 */
export const noStoreDiffers: [StoresThatDiffer] extends [never] ? true : StoresThatDiffer = true

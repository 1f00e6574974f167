/** Translates between what the surfaces open of the graph and its services. */
import { Effect, Layer } from "effect"
import { implement } from "../../doors/Implement.ts"
import { GraphApi } from "./GraphApi.ts"
import { GraphNodes } from "./GraphNodes.ts"
import { Neighbourhoods } from "./Neighbourhoods.ts"
import { Resolutions } from "./Resolutions.ts"
import { Traversals } from "./Traversals.ts"

const rest = implement(
  GraphApi,
  Effect.gen(function* () {
    const nodes = yield* GraphNodes
    const neighbourhoods = yield* Neighbourhoods
    const resolutions = yield* Resolutions
    const traversals = yield* Traversals
    return {
      "graph.traverse": ({ urlParams }) => traversals.walk(urlParams),
      "graph.get": ({ path, urlParams }) => neighbourhoods.around(path.type, path.id, urlParams.limit),
      "resolve.id": ({ path }) => resolutions.resolve(path.id),
      "resolve.name": ({ urlParams }) => nodes.named(urlParams)
    }
  })
)

export const layer = Layer.mergeAll(rest)

/** The handlers of the graph. They pass each call of an endpoint or a tool to a service and return its result. */
import { Effect, Layer } from "effect"
import { cutText, fitToSize } from "../../doors/Fitting.ts"
import { implement, implementTools } from "../../doors/Implement.ts"
import { GraphApi } from "./GraphApi.ts"
import type { GraphEnvelope } from "./GraphNode.ts"
import { GraphNodes } from "./GraphNodes.ts"
import { type GraphAnswer, GraphTools } from "./GraphTools.ts"
import { Neighbourhoods } from "./Neighbourhoods.ts"
import { Resolutions } from "./Resolutions.ts"
import { Traversals } from "./Traversals.ts"

const rest = implement(
  GraphApi,
  Effect.gen(function* () {
    const neighbourhoods = yield* Neighbourhoods
    const resolutions = yield* Resolutions
    const traversals = yield* Traversals
    return {
      "graph.traverse": ({ urlParams }) => traversals.traverse(urlParams),
      "graph.get": ({ path, urlParams }) => neighbourhoods.neighbourhoodOf(path.type, path.id, urlParams.limit),
      "resolve.id": ({ path }) => resolutions.resolve(path.id),
      "resolve.titles": ({ payload }) => resolutions.titles(payload.ids),
      "resolve.name": ({ urlParams }) => resolutions.named(urlParams)
    }
  })
)

const charactersPerToken = 4
const nameMax = 80 // the maximum number of characters of an object's name in the answer of a tool
const readMax = 200 // the number of neighbours that the pod reads for the answer of a tool

const nameOf = (name: string | null) => (name === null ? null : cutText(name, nameMax))

/** Shortens the answer about an object so that the answer fits into a number of tokens. */
const leanOf = (envelope: GraphEnvelope, budget: number): GraphAnswer => {
  const { counts, found, neighbors } = envelope
  const object = { ...envelope.object, name: nameOf(envelope.object.name) }
  const lean = neighbors.map(({ direction, edgeType, id, kind, name, subtype }) => ({
    kind,
    id,
    name: nameOf(name),
    subtype,
    edgeType,
    direction
  }))
  const leftOut = { neighbors: counts.total - neighbors.length }
  const fit = fitToSize({ found, object, counts }, { neighbors: lean }, leftOut, budget * charactersPerToken)
  return { found, object, counts, neighbors: fit.lists.neighbors, leftOut: fit.leftOut }
}

const tools = implementTools(
  GraphTools,
  Effect.gen(function* () {
    const nodes = yield* GraphNodes
    const neighbourhoods = yield* Neighbourhoods
    return {
      svc_get_graph: Effect.fnUntraced(function* ({ budget, id, name, subtype, type }) {
        if (id !== undefined) return leanOf(yield* neighbourhoods.neighbourhoodOf(type, id, readMax), budget)
        if (name === undefined) return { found: false, neighbors: [], leftOut: {} }
        const { matches, unique } = yield* nodes.named({ kind: type, name, subtype })
        const [only] = matches
        if (unique && only !== undefined) {
          return leanOf(yield* neighbourhoods.neighbourhoodOf(type, only.id, readMax), budget)
        }
        const candidates = matches.map((match) => ({ ...match, name: nameOf(match.name) }))
        const fit = fitToSize({ found: false, neighbors: [] }, { candidates }, {}, budget * charactersPerToken)
        return { found: false, neighbors: [], candidates: fit.lists.candidates, leftOut: fit.leftOut }
      })
    }
  })
)

export const layer = Layer.mergeAll(rest, tools)

/**
 * The handlers of orientation. They translate between the service and its two callers, the endpoint and the MCP tool.
 */
import { Effect, Layer } from "effect"
import { implement, implementTools } from "../../doors/Implement.ts"
import { charactersPerToken, lightBytesMax } from "./Orientation.ts"
import { OrientationApi } from "./OrientationApi.ts"
import { Orientations } from "./Orientations.ts"
import { OrientationTools } from "./OrientationTools.ts"

// the maximum number of bytes of the answer to a model that names no maximum number of tokens
const fullToolBytesMax = 4 * lightBytesMax

const rest = implement(
  OrientationApi,
  Effect.map(Orientations, ({ orient }) => ({
    "orientation.orient": ({ urlParams }) => orient(urlParams, urlParams.detail === "light" ? lightBytesMax : null)
  }))
)

const tools = implementTools(
  OrientationTools,
  Effect.map(Orientations, ({ orient }) => ({
    svc_orient: ({ budget, ...query }) => {
      const unasked = query.detail === "light" ? lightBytesMax : fullToolBytesMax
      return orient(query, budget === undefined ? unasked : budget * charactersPerToken)
    }
  }))
)

export const layer = Layer.mergeAll(rest, tools)

/** The handler of proactive posts: it translates between the endpoint and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { ProactiveApi } from "./ProactiveApi.ts"
import { ProactivePosts } from "./ProactivePosts.ts"

export const layer = implement(
  ProactiveApi,
  Effect.map(ProactivePosts, ({ post }) => ({ "proactive.post": ({ payload }) => post(payload) }))
)

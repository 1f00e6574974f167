/**
 * The handlers of artifacts. They convert the requests of the endpoints to calls of the service, and the results to
 * answers.
 */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { ArtifactApi } from "./ArtifactApi.ts"
import { Artifacts } from "./Artifacts.ts"

/**
 * Converts the filter `all` to undefined, which means no filter. The compiler does not narrow a generic type, so the
 * code needs a cast.
 */
const filterOf = <A extends string>(filter: A): Exclude<A, "all"> | undefined =>
  filter === "all" ? undefined : (filter as Exclude<A, "all">)

export const layer = implement(
  ArtifactApi,
  Effect.map(Artifacts, (artifacts) => ({
    "artifacts.list": ({ urlParams: { placement, sessionId, state, ...page } }) =>
      artifacts.list({ ...page, where: { state: filterOf(state), placement: filterOf(placement), sessionId } }),
    "artifacts.create": ({ payload: { reasoning, workspaceId, ...body } }) => {
      const { actorId: _actor, agentUserId: _agent, userId: _caller, ...fields } = body
      return artifacts.create({
        workspaceId,
        fields: { ...fields, state: "working" },
        reasoning,
        sessionId: fields.sessionId
      })
    },
    "artifacts.update": ({ path, payload: { agentUserId: _agent, reasoning, ...fields } }) =>
      artifacts.update(path.id, fields, { reasoning })
  }))
)

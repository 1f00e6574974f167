/** The handlers of knowledge entries: they translate between the endpoints and the service. */
import { Effect } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { implement } from "../../doors/Implement.ts"
import { Knowledge } from "./Knowledge.ts"
import { KnowledgeApi } from "./KnowledgeApi.ts"
import type { KnowledgeReplacement } from "./KnowledgeEntry.ts"

/**
 * Returns the workspace id of a PUT, which the query or the body can contain. If the query and the body name different
 * workspaces, refuses the request.
 */
const inOneWorkspace = (replacement: KnowledgeReplacement, requestedId: string | undefined) => {
  const named = replacement.workspaceId ?? undefined
  return requestedId !== undefined && named !== undefined && requestedId !== named
    ? Effect.fail(
        invalid(
          "workspaceId",
          "The query and the body contain different ids of workspaces. Send `workspaceId` only once."
        )
      )
    : Effect.succeed({ ...replacement, workspaceId: named ?? requestedId })
}

export const layer = implement(
  KnowledgeApi,
  Effect.map(Knowledge, (knowledge) => ({
    "knowledge.list": ({ urlParams }) => knowledge.list(urlParams),
    "knowledge.create": ({ payload }) => knowledge.create(payload),
    "knowledge.get": ({ path, urlParams }) => knowledge.get(path.key, urlParams.workspaceId),
    "knowledge.versions": ({ path, urlParams }) => knowledge.versions(path.key, urlParams),
    "knowledge.put": ({ path, urlParams, payload }) =>
      Effect.flatMap(inOneWorkspace(payload, urlParams.workspaceId), (replacement) =>
        knowledge.put(path.key, replacement)
      ),
    "knowledge.delete": ({ path, urlParams }) =>
      Effect.map(knowledge.archive(path.key, urlParams.workspaceId), (success) => ({ success }))
  }))
)

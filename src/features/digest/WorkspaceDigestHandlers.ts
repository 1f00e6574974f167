/** The handler for the digest of a workspace. It adds the name of the workspace. */
import { Effect } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { implement } from "../../doors/Implement.ts"
import { Digests } from "./Digests.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { WorkspaceDigestApi } from "./WorkspaceDigestApi.ts"

export const layer = implement(
  WorkspaceDigestApi,
  Effect.gen(function* () {
    const digests = yield* Digests
    const workspaces = yield* Workspaces
    return {
      "workspaces.digest": Effect.fnUntraced(
        function* ({ path: { workspaceId } }) {
          const { name } = yield* workspaces.fields(workspaceId)
          const digest = yield* digests.digestOf({ kind: "workspace", spaceId: workspaceId, name })
          const { counts, keyEntities, summary, total } = digest
          return { workspaceId, name, total, counts, keyEntities, summary }
        },
        Effect.catchTag("WorkspaceNotFound", () => Effect.fail(missingRecord("workspace")))
      )
    }
  })
)

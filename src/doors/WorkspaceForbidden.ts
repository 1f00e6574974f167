/** The refusals of requests for a space that the caller cannot use. */
import { Forbidden } from "./Failure.ts"

/** For a workspace that is missing or that the caller cannot use. Both cases get the same answer. */
export const workspaceForbidden = new Forbidden({
  code: "WORKSPACE_FORBIDDEN",
  why: "This credential has no access to this workspace, or the workspace does not exist. Use another workspace or another credential.",
  required: ["workspace"],
  granted: [],
  canBeStale: true
})

/** For a request that names no workspace, with a key that is limited to certain workspaces. */
export const ownSpaceForbidden = new Forbidden({
  code: "WORKSPACE_FORBIDDEN",
  why: "This key is limited to certain workspaces, but this request is for the personal space. Send the id of one of these workspaces in `workspaceId`, or use another key.",
  required: ["workspace"],
  granted: [],
  canBeStale: true
})

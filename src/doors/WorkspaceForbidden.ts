/** The refusal for a workspace that is missing or that the caller cannot use. Both cases get the same answer. */
import { Forbidden } from "./Failure.ts"

export const workspaceForbidden = new Forbidden({
  code: "WORKSPACE_FORBIDDEN",
  why: "This credential has no access to this workspace, or the workspace does not exist. Use another workspace or another credential.",
  required: ["workspace"],
  granted: [],
  canBeStale: true
})

/** `pod start`: runs the server, as `node dist/main` does. */
import { Effect } from "effect"
import { leaf } from "../CommandTree.ts"

/** This command never returns, because the server ends the process itself, with exit codes of its own. */
export const start = leaf(
  "start",
  {
    summary: "Run the server of the pod until it is stopped.",
    examples: ["pod start", "POD_PORT=8788 pod start", "pod start --data-dir ./other"]
  },
  {},
  () => Effect.never
)

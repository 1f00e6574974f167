/** `pod start`: runs the server, as `node dist/main` does. */
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { isPodName, podNameMax } from "../../platform/PodNameText.ts"
import { badUsage } from "../CliFailure.ts"
import { leaf } from "../CommandTree.ts"

/**
 * Turns the options into settings of the server. The program then starts the server, which reads the settings and ends
 * the process itself, with exit codes of its own.
 */
export const start = leaf(
  "start",
  {
    summary: "Run the server of the pod until it is stopped.",
    examples: ["pod start", "POD_PORT=8788 pod start", "pod start --data-dir ./other", "pod start --pod-name Harbour"]
  },
  {
    podName: Options.text("pod-name").pipe(
      Options.withDescription(
        "The name of a new pod, as in POD_NAME. The pod uses it only at the first start, together with POD_OWNER_EMAIL; otherwise the setup page asks for the name."
      ),
      Options.optional
    )
  },
  ({ podName }) =>
    Effect.suspend(() => {
      if (Option.isNone(podName)) return Effect.void
      if (!isPodName(podName.value))
        return Effect.fail(
          badUsage(`--pod-name has 1 to ${podNameMax} characters in one line, without invisible ones.`)
        )
      process.env["POD_NAME"] = podName.value
      return Effect.void
    })
)

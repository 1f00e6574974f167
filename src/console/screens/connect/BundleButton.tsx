/**
 * The button that downloads the bundle for Claude Desktop. The console makes the bundle itself, because only the
 * browser knows the address under which it reached the pod.
 */
import { useMutation } from "@tanstack/react-query"
import { bundleName, claudeBundle } from "../../../shared/ClaudeBundle.ts"
import { hub } from "../../api/hub.ts"
import { Refusal, refusalOf } from "../../api/refusal.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { saveFile } from "../../ui/saveFile.ts"

/** Reads the code of the MCP bridge, which the pod serves beside the console. */
const readBridge = async (): Promise<string> => {
  const answer = await fetch(new URL("pod-mcp-bridge.cjs", document.baseURI), { credentials: "omit" }).catch(
    (failure: unknown) => {
      throw refusalOf(failure)
    }
  )
  if (answer.ok) return answer.text()
  throw new Refusal(answer.status, { error: "This pod was built without the bridge for Claude Desktop." })
}

export const BundleButton = ({ url }: { readonly url: string }) => {
  const download = useMutation({
    mutationFn: async () => {
      const [bridge, { version }] = await Promise.all([readBridge(), hub("GET /api/hub/pod/config", {})])
      saveFile(bundleName, claudeBundle({ url, version, bridge }), "application/zip")
    }
  })
  const run = () => download.mutate()
  return (
    <div className="grid gap-2">
      <div>
        <Button isBusy={download.isPending} onClick={run}>
          Download {bundleName}
        </Button>
      </div>
      {download.error !== null && <ErrorBox error={download.error} onRetry={run} />}
    </div>
  )
}

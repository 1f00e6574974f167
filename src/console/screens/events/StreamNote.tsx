/** Shows in words and colour whether the list of events is live. */
import type { StreamState } from "../../api/streamLoop.ts"
import { Badge, type Tone } from "../../ui/Badge.tsx"

const states: Readonly<Record<StreamState["name"], readonly [Tone, string]>> = {
  connecting: ["plain", "connecting"],
  live: ["good", "live"],
  waiting: ["warn", "broken, trying again"],
  ended: ["bad", "stopped"]
}

export const StreamNote = ({ state }: { readonly state: StreamState }) => {
  const [tone, text] = states[state.name]
  return (
    <span role="status">
      <Badge tone={tone}>{text}</Badge>
    </span>
  )
}

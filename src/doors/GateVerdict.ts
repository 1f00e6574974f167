/** The verdict on a request, as answers and events show it. */
import { Schema } from "effect"

export const Verdict = Schema.Literal("allow", "deny", "propose").annotations({
  identifier: "Verdict",
  description: "`allow`: carry out the request; `deny`: refuse the request; `propose`: ask a person first."
})

/** The decision of the governance gate about a request, in the form that answers and events show. */
import { Schema } from "effect"

export const Verdict = Schema.Literal("allow", "deny", "propose").annotations({
  identifier: "Verdict",
  description: "`allow`: carry out the request; `deny`: refuse the request; `propose`: ask a person first."
})

/** The handler of previews: it translates between the procedure and the service. */
import { Effect } from "effect"
import { implementProcedures } from "../../doors/Implement.ts"
import { PreviewProcedures } from "./PreviewRpc.ts"
import { Previews } from "./Previews.ts"

export const layer = implementProcedures(
  PreviewProcedures,
  Effect.map(Previews, (previews) => ({ "grants.preview": (input) => previews.of(input) }))
)

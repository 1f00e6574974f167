/** The handlers of previews: they translate between the procedures and the services. */
import { Effect } from "effect"
import { implementProcedures } from "../../doors/Implement.ts"
import { mapPage } from "../../doors/Page.ts"
import { summaryOf } from "../keys/KeySummary.ts"
import { KeyReaders } from "./KeyReaders.ts"
import { PreviewProcedures } from "./PreviewRpc.ts"
import { Previews } from "./Previews.ts"

export const layer = implementProcedures(
  PreviewProcedures,
  Effect.gen(function* () {
    const previews = yield* Previews
    const readers = yield* KeyReaders
    return {
      "grants.preview": (input) => previews.of(input),
      "grants.readers": (record) =>
        Effect.map(readers.of(record), (page) =>
          mapPage(page, ({ agent, key }) => ({
            keyId: key.id,
            keyName: key.keyName,
            lastFour: key.lastFour,
            agentName: agent?.name ?? null,
            summary: summaryOf(key),
            expiresAt: key.expiresAt,
            lastUsedAt: key.lastUsedAt
          }))
        )
    }
  })
)

/** The Effect layers of diagnosis. They contain the service, and the handler of the MCP tool. */
import { Effect, Layer } from "effect"
import { implementTools } from "../../doors/Implement.ts"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import * as WebhookLayer from "../webhooks/WebhookLayer.ts"
import { Diagnoses } from "./Diagnoses.ts"
import { DiagnoseTools } from "./DiagnoseTools.ts"

const handlers = implementTools(
  DiagnoseTools,
  Effect.map(Diagnoses, (diagnoses) => ({ svc_diagnose: diagnoses.of }))
)

export const layer = handlers.pipe(
  Layer.provide(Diagnoses.layer),
  Layer.provide(Layer.merge(ProposalLayer.services, WebhookLayer.services))
)

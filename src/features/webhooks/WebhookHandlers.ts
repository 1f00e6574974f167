/**
 * The handlers of webhooks. They pass each call of an endpoint or a procedure to the service, and return its result.
 */
import { Effect, Layer } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { WebhookApi } from "./WebhookApi.ts"
import { WebhookProcedures } from "./WebhookRpc.ts"
import { Webhooks } from "./Webhooks.ts"

const rest = implement(
  WebhookApi,
  Effect.map(Webhooks, ({ deliveries, list }) => ({
    "webhooks.list": ({ urlParams }) => list(urlParams),
    "webhooks.deliveries": ({ path, urlParams }) => deliveries(path.id, urlParams)
  }))
)

const procedures = implementProcedures(
  WebhookProcedures,
  Effect.map(
    Webhooks,
    ({
      attempts,
      channels,
      create,
      deliveries,
      figures,
      list,
      recover,
      remove,
      replay,
      resend,
      removeIn,
      rotateSecret,
      test,
      toggleIn,
      update
    }) => ({
      "webhooks.list": list,
      "channelGateway.list": () => channels,
      "webhooks.deliveries": ({ subscriptionId, ...place }) => deliveries(subscriptionId, place),
      "webhooks.attempts": ({ deliveryId, subscriptionId }) => attempts(subscriptionId, deliveryId),
      "webhooks.figures": () => figures,
      "webhooks.create": create,
      "webhooks.update": update,
      "webhooks.rotateSecret": ({ id }) => rotateSecret(id),
      "webhooks.test": ({ id }) => Effect.map(test(id), (deliveryId) => ({ deliveryId })),
      "webhooks.resend": ({ deliveryId, subscriptionId }) =>
        Effect.as(resend(subscriptionId, deliveryId), { deliveryId }),
      "webhooks.recover": ({ id, since }) => Effect.map(recover(id, since), (count) => ({ count })),
      "webhooks.replay": ({ id, ...which }) => Effect.map(replay(id, which), (jobId) => ({ jobId })),
      "webhooks.delete": ({ id }) => Effect.map(remove(id), deleteResponse),
      "webhooks.listForWorkspace": list,
      "webhooks.createForWorkspace": create,
      "webhooks.toggleForWorkspace": ({ active, id, workspaceId }) => toggleIn(workspaceId, id, active),
      "webhooks.deleteForWorkspace": ({ id, workspaceId }) => Effect.map(removeIn(workspaceId, id), deleteResponse)
    })
  )
)

export const layer = Layer.merge(rest, procedures)

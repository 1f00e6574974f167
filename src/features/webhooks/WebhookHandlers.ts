/**
 * The handlers of webhooks, whose writes pass the gate. Only people write webhooks, because they send data out of the
 * pod, and only to public addresses.
 */
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { invalid } from "../../doors/Failure.ts"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { mapPage } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { urlFault } from "../artifacts/PublicUrl.ts"
import { isUnrestricted } from "../grants/Grant.ts"
import { type RecordOperations, governedRecords } from "../records/GovernedRecords.ts"
import { toWire, Webhook, type WebhookPage } from "./Webhook.ts"
import { WebhookApi } from "./WebhookApi.ts"
import { WebhookProcedures } from "./WebhookRpc.ts"

const secretBytes = 32

const absent = missingRecord("webhook")

const listing = (webhooks: RecordOperations<Webhook>) => (page: typeof WebhookPage.Type) =>
  Effect.gen(function* () {
    const { principal } = yield* Reach
    const where = isUnrestricted(principal) ? {} : { keyId: principal.credential.id }
    return mapPage(yield* webhooks.list({ ...page, where }), toWire)
  })

/** A key with limits may touch only the webhooks that it created itself, which are those that it lists. */
const touched = (webhooks: RecordOperations<Webhook>, id: string) =>
  Effect.gen(function* () {
    const { principal } = yield* Reach
    const { keyId } = yield* webhooks.get(id)
    if (!isUnrestricted(principal) && keyId !== principal.credential.id) return yield* absent
  })

const rest = (webhooks: RecordOperations<Webhook>) =>
  implement(WebhookApi, Effect.succeed({ "webhooks.list": ({ urlParams }) => listing(webhooks)(urlParams) }))

const procedures = (webhooks: RecordOperations<Webhook>) =>
  implementProcedures(
    WebhookProcedures,
    Effect.succeed({
      "webhooks.list": listing(webhooks),
      "webhooks.create": ({ secret: given, workspaceId, ...said }) =>
        Effect.gen(function* () {
          const { credential } = (yield* Reach).principal
          const secret = given ?? randomBytes(secretBytes).toString("hex")
          const keyId = credential.kind === "key" ? credential.id : null
          const fields = { ...said, secret, keyId, lastTriggeredAt: null }
          return { subscription: toWire(yield* webhooks.create({ workspaceId, fields })), secret }
        }),
      "webhooks.update": ({ id, ...fields }) =>
        Effect.zipRight(touched(webhooks, id), Effect.map(webhooks.update(id, fields), toWire)),
      "webhooks.delete": ({ id }) =>
        Effect.zipRight(touched(webhooks, id), Effect.map(webhooks.remove(id), deleteResponse))
    })
  )

export const layer = Layer.unwrapEffect(
  Effect.map(
    governedRecords(Webhook, {
      isForPeople: true,
      check: ({ url }) => {
        const fault = url === undefined ? undefined : urlFault(url)
        return fault === undefined ? Effect.void : Effect.fail(invalid("url", fault))
      }
    }),
    (webhooks) => Layer.merge(rest(webhooks), procedures(webhooks))
  )
)

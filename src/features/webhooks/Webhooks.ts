/**
 * The rules of webhooks. Only people write webhooks. The pod must be allowed to call the URL of each webhook. A key
 * with limits can use only the webhooks that it, or a key that it replaced, made.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, type Forbidden, type Invalid, invalid, type NotFound } from "../../doors/Failure.ts"
import { cutPage, type Page } from "../../doors/Page.ts"
import { keyIdOf } from "../../doors/Principal.ts"
import { Reach } from "../../doors/Reach.ts"
import { checkTimeRange } from "../../doors/TimeRange.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { isUnrestricted } from "../grants/Grant.ts"
import type { ReactionSource } from "../events/Reaction.ts"
import type { Deleted } from "../gate/Changers.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import { alreadyExistsCode } from "../records/RecordWrites.ts"
import { everyRecord } from "../records/EveryRecord.ts"
import { Keys } from "../keys/Keys.ts"
import { Records } from "../records/Records.ts"
import type { WriteFailure } from "../records/RecordOperations.ts"
import { channelOf, type DeliveryChannel, inPodChannel } from "./ChannelGateway.ts"
import type { Delivery, DeliveryAttempt, DeliveryPlace, WebhookFigures } from "./Delivery.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { deliveryReactions } from "./DeliveryReactions.ts"
import { readableCalls } from "./ReadableCalls.ts"
import { SentEvents } from "./SentEvents.ts"
import { receiverRules } from "../outbound/ReceiverAddress.ts"
import { checkSince, lockOfWaiting, type ReplayedEvents, replayQueue } from "./Replays.ts"
import { newSecret } from "./Signature.ts"
import {
  toWire,
  Webhook,
  type WebhookChange,
  type WebhookDraft,
  type WebhookPage,
  type WebhookWithoutSecret
} from "./Webhook.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

const secretBytes = 32
const testType = "webhook.test"

type Shown = typeof WebhookWithoutSecret.Type

interface WithSecret {
  readonly subscription: Shown
  readonly secret: string
}

const noLimit = Effect.succeed<ReadonlyArray<string> | null>(null)
const webhookMissing = missingRecord("webhook")

const channelsMax = 200 // the maximum number of webhooks in the list of channels

export class Webhooks extends Context.Tag("pod/Webhooks")<
  Webhooks,
  {
    /** Lists the caller's webhooks, newest first. A key with limits gets only the webhooks that it made. */
    readonly list: (
      page: typeof WebhookPage.Type & { readonly workspaceId?: string | undefined }
    ) => Effect.Effect<Page<Shown>, Forbidden, Reach>
    /**
     * Lists the channels by which the pod tells the caller about events: notifications in the pod, and at most 200
     * webhooks.
     */
    readonly channels: Effect.Effect<ReadonlyArray<typeof DeliveryChannel.Type>, Forbidden, Reach>
    /** Lists a page of the deliveries of a webhook, latest first. */
    readonly deliveries: (id: string, place: DeliveryPlace) => Effect.Effect<Page<Delivery>, Invalid | NotFound, Reach>
    /** Lists the latest deliveries of each webhook. A key with limits gets only deliveries of webhooks that it made. */
    readonly latestDeliveries: (
      ids: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Delivery>, Forbidden, Reach>
    /** Lists the latest calls of a delivery. The bodies are null if the caller may not read the event. */
    readonly attempts: (
      id: string,
      deliveryId: string
    ) => Effect.Effect<ReadonlyArray<DeliveryAttempt>, NotFound, Reach>
    /**
     * Reads the results of the deliveries of the caller's webhooks. A key with limits reads only results of webhooks
     * that it made.
     */
    readonly figures: Effect.Effect<ReadonlyArray<WebhookFigures>, never, Reach>
    /** Makes a webhook. Only this answer has the secret. */
    readonly create: (draft: typeof WebhookDraft.Type) => Effect.Effect<WithSecret, WriteFailure, Reach>
    /**
     * Changes a webhook. If the pod had disabled the webhook, `active: true` enables it again. If a key changes the
     * URL, the limits of this key apply to the webhook from then on.
     */
    readonly update: (change: typeof WebhookChange.Type) => Effect.Effect<Shown, WriteFailure, Reach>
    /**
     * Replaces the secret. Only this answer has the new secret. For a limited time, the pod signs calls with the new
     * secret and with the replaced secret. It no longer uses any secret that was replaced before.
     */
    readonly rotateSecret: (id: string) => Effect.Effect<WithSecret, WriteFailure, Reach>
    /**
     * Reads a webhook that the pod will call at the caller's request. The caller must have the right to make webhooks in
     * the space of this webhook.
     */
    readonly called: (id: string) => Effect.Effect<Webhook, Forbidden | NotFound, Reach>
    /** Sends a test event to the receiver. Returns the id of the delivery of this event. */
    readonly test: (id: string) => Effect.Effect<string, Forbidden | NotFound, Reach>
    /** Sends a delivery once more. */
    readonly resend: (id: string, deliveryId: string) => Effect.Effect<void, Forbidden | NotFound, Reach>
    /** Selects the deliveries that failed after the time `since`, makes them due again, and returns their number. */
    readonly recover: (id: string, since: DateTime.Utc) => Effect.Effect<number, Forbidden | Invalid | NotFound, Reach>
    /**
     * Sends the events that were logged between two times, except events that already have a delivery. If `eventTypes`
     * is given, sends only events of these types. Returns the id of the job that plans the deliveries.
     */
    readonly replay: (
      id: string,
      which: ReplayedEvents
    ) => Effect.Effect<string, Conflict | Forbidden | Invalid | NotFound, Reach>
    readonly remove: (id: string) => Effect.Effect<Deleted, WriteFailure, Reach>
    /**
     * Switches a webhook on or off. If `active` is absent, an active webhook becomes inactive, and an inactive webhook
     * becomes active. Fails with Conflict if somebody changes the webhook in between.
     */
    readonly toggleIn: (workspaceId: string, id: string, active?: boolean) => Effect.Effect<Shown, WriteFailure, Reach>
    readonly removeIn: (workspaceId: string, id: string) => Effect.Effect<Deleted, WriteFailure, Reach>
    /** The source from which the pulse gets the deliveries. */
    readonly reactions: ReactionSource
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const readCalls = yield* readableCalls
      const sentEvents = yield* SentEvents
      const stored = yield* Records
      const keys = yield* Keys
      const jobs = yield* Jobs
      const { exclusively } = yield* Transaction
      const { allowed, times, waitingMax } = yield* WebhookSettings
      const { urlFault } = receiverRules(allowed)
      const records = yield* governedRecords(Webhook, {
        isForPeople: true,
        check: ({ url }) => {
          const fault = url === undefined ? undefined : urlFault(url)
          return fault === undefined ? Effect.void : Effect.fail(invalid("url", fault))
        }
      })

      /** Adds to each webhook its state from the store of deliveries, such as the time of its last call. */
      const shown = Effect.fnUntraced(function* (webhooks: ReadonlyArray<Webhook>) {
        const states = webhooks.length === 0 ? [] : yield* store.states(webhooks.map(({ id }) => id))
        const byId = new Map(states.map((state) => [state.webhookId, state]))
        return webhooks.map((webhook) => toWire(webhook, byId.get(webhook.id)))
      })

      /** The keys whose webhooks the caller may use. Null if the caller may use all webhooks of the person. */
      const onlyKeys = Effect.flatMap(Reach, ({ principal }) => (isUnrestricted(principal) ? noLimit : keys.ownLine))

      /** Reads a webhook that the caller may use. */
      const getOwn = Effect.fnUntraced(function* (id: string) {
        const webhook = yield* records.get(id)
        const keyIds = yield* onlyKeys
        if (keyIds !== null && !keyIds.includes(webhook.keyId ?? "")) return yield* webhookMissing
        return webhook
      })

      /** Returns the same as `getOwn`, but treats a webhook of another workspace as missing. */
      const getOwnIn = (workspaceId: string, id: string) =>
        Effect.tap(getOwn(id), (webhook) => (webhook.workspaceId === workspaceId ? Effect.void : webhookMissing))

      const update = Effect.fnUntraced(function* (
        { id, ...fields }: typeof WebhookChange.Type,
        expectedVersion?: number
      ) {
        const { url, version } = yield* getOwn(id)
        const { principal } = yield* Reach
        const keyId = keyIdOf(principal)
        // If a key changes the URL, the limits of this key apply from now on, as if the key had made the webhook.
        const isMoved = keyId !== null && fields.url !== undefined && fields.url !== url
        // If the change contains the URL or comes from a key with limits, it replaces only the version that was read.
        // Otherwise another key could change the URL in the meantime.
        const isBound = fields.url !== undefined || !isUnrestricted(principal)
        const changed = yield* records.update(id, isMoved ? { ...fields, keyId } : fields, {
          expectedVersion: expectedVersion ?? (isBound ? version : undefined)
        })
        if (fields.active === true) yield* store.enable(id)
        const [webhook] = yield* shown([changed])
        return webhook
      })

      /** Lists the webhooks that the caller may read. */
      const listed = (page: Parameters<typeof records.list>[0]) =>
        Effect.flatMap(onlyKeys, (keyIds) => records.list({ ...page, where: keyIds === null ? {} : { keyId: keyIds } }))

      /** Lists the ids of the webhooks whose deliveries the caller may read. Null means every webhook of the person. */
      const readableIds = Effect.flatMap(onlyKeys, (keyIds) =>
        keyIds === null
          ? Effect.succeed(null)
          : Effect.map(everyRecord(stored, Webhook, { where: { keyId: keyIds } }), (own) => own.map(({ id }) => id))
      )

      const called = (id: string) => Effect.tap(getOwn(id), ({ workspaceId }) => records.mayCreate(workspaceId))

      return {
        list: Effect.fnUntraced(function* (page) {
          const { items, next } = yield* listed(page)
          return { items: yield* shown(items), next }
        }),
        channels: Effect.gen(function* () {
          const { items } = yield* listed({ limit: channelsMax })
          return [inPodChannel, ...(yield* shown(items)).map(channelOf)]
        }),
        attempts: (id, deliveryId) => Effect.zipRight(getOwn(id), readCalls(id, deliveryId)),
        figures: Effect.flatMap(onlyKeys, store.figures),
        latestDeliveries: Effect.fnUntraced(function* (ids, limit) {
          const keyIds = yield* onlyKeys
          if (keyIds === null || ids.length === 0) return yield* store.latest(ids, limit)
          const { items } = yield* records.list({ limit: ids.length, where: { id: ids, keyId: keyIds } })
          const own = new Set(items.map(({ id }) => id))
          return yield* store.latest(
            ids.filter((id) => own.has(id)),
            limit
          )
        }),
        deliveries: (id, place) =>
          getOwn(id).pipe(
            Effect.zipLeft(checkTimeRange(place)),
            Effect.zipRight(store.list(id, { ...place, limit: place.limit + 1 })),
            Effect.map((rows) => cutPage(rows, place.limit, (last) => ({ at: null, id: last.id })))
          ),
        create: Effect.fnUntraced(function* ({ secret: requestedSecret, workspaceId, ...draft }) {
          const keyId = keyIdOf((yield* Reach).principal)
          const secret = requestedSecret ?? newSecret(randomBytes(secretBytes))
          const fields = { ...draft, secret, formerSecret: null, formerSecretEnds: null, keyId, lastTriggeredAt: null }
          return { subscription: toWire(yield* records.create({ workspaceId, fields }), undefined), secret }
        }),
        update: (change) => update(change),
        rotateSecret: Effect.fnUntraced(function* (id) {
          const { secret: formerSecret, version } = yield* getOwn(id)
          const secret = newSecret(randomBytes(secretBytes))
          const formerSecretEnds = DateTime.addDuration(yield* DateTime.now, times.formerSecret)
          // If two rotations run at the same time, one of them fails with Conflict. So no caller gets a secret that is
          // not valid.
          const changed = yield* records.update(
            id,
            { secret, formerSecret, formerSecretEnds },
            { expectedVersion: version }
          )
          const [subscription] = yield* shown([changed])
          return { subscription, secret }
        }),
        called,
        test: Effect.fnUntraced(function* (id) {
          const { userId, workspaceId } = yield* called(id)
          const [deliveryId, eventId] = [uuidv7(), uuidv7()]
          const event = { eventId, eventType: testType, seq: 0, subjectId: eventId, isTest: true }
          const spaceId = workspaceId ?? userId
          yield* store.plan([{ id: deliveryId, spaceId, homeId: spaceId, webhookId: id, ...event }])
          return deliveryId
        }),
        resend: Effect.fnUntraced(function* (id, deliveryId) {
          yield* called(id)
          if (!(yield* store.makeDue(id, deliveryId))) return yield* missingRecord("delivery")
        }),
        recover: Effect.fnUntraced(function* (id, since) {
          yield* called(id)
          yield* checkSince(since)
          const room = Effect.map(store.waiting(id), (waiting) => Math.max(0, waitingMax - waiting))
          const recovered = Effect.flatMap(room, (most) => store.recover(id, since, most))
          return yield* exclusively(lockOfWaiting(id), recovered)
        }),
        replay: Effect.fnUntraced(function* (id, { eventTypes, since, until }) {
          const { userId } = yield* called(id)
          yield* Effect.zipRight(checkTimeRange({ since, until }), checkSince(since))
          const now = yield* DateTime.now
          const replay = { webhookId: id, personId: userId, since, until: DateTime.min(until ?? now, now), eventTypes }
          const job = yield* Effect.orDie(jobs.enqueue(replayQueue, replay, { singletonKey: id }))
          return yield* Effect.mapError(
            job,
            () =>
              new Conflict({
                code: alreadyExistsCode,
                why: "Another call to send missed events to this webhook is still waiting to begin. Try again in a few minutes."
              })
          )
        }),
        remove: (id) => Effect.zipRight(getOwn(id), records.remove(id)),
        toggleIn: Effect.fnUntraced(function* (workspaceId, id, active) {
          const webhook = yield* getOwnIn(workspaceId, id)
          if (active !== undefined) return yield* update({ id, active })
          const [now] = yield* shown([webhook])
          return yield* update({ id, active: !now.active }, webhook.version)
        }),
        removeIn: (workspaceId, id) => Effect.zipRight(getOwnIn(workspaceId, id), records.remove(id)),
        reactions: deliveryReactions(sentEvents, readableIds, (ids) => stored.among(Webhook, ids, ["name"]))
      }
    })
  )
}

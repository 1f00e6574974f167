/**
 * Follows the event log. Each event about which the pod notifies people becomes a job. The job checks for each person
 * whether this person may read the record that the notification is about. A failed event does not delay other events,
 * because each event has its own job.
 */
import { type DateTime, Effect, Option, Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Message } from "../conversations/Message.ts"
import { Document, DocumentHead } from "../documents/Document.ts"
import { EventCursors, type LoggedEvent } from "../events/EventCursors.ts"
import { followEvents } from "../events/EventFollower.ts"
import { EventLog } from "../events/EventLog.ts"
import { DecidableProposals } from "../proposals/DecidableProposals.ts"
import { Records } from "../records/Records.ts"
import { mentionedPeople } from "./Mentions.ts"
import { NoticeRecord } from "./Notification.ts"
import { NotificationStore } from "./NotificationStore.ts"
import { type NewNotification, Notifier } from "./Notifier.ts"
import { shortenText } from "../../platform/StoredText.ts"

const consumer = "notifications"
// the maximum number of characters of a text that an automation sends to a person
const noticeMax = 1000

const FollowedEvent = Schema.Struct({
  id: Id,
  type: Schema.String,
  spaceId: Id,
  subjectId: Id,
  userId: Id,
  actorId: Id,
  correlationId: Id
})
type FollowedEvent = typeof FollowedEvent.Type

const queue = jobQueue({
  name: "notifications.tell",
  payload: FollowedEvent,
  retryLimit: 5,
  retryDelaySeconds: 1,
  expireSeconds: 120,
  concurrency: 4,
  single: "nothing"
})

/** The data of a notice that an automation sends to a person. */
const NoticeData = Schema.Struct({
  personId: Id,
  ruleId: Schema.optional(Schema.NullOr(Id)),
  runId: Schema.optional(Schema.NullOr(Id)),
  text: Schema.optional(Schema.NullOr(Schema.String)),
  showsTitle: Schema.optional(Schema.Boolean),
  about: Schema.optional(Schema.NullOr(NoticeRecord))
})
const noticeData = Schema.decodeUnknownOption(NoticeData)

type EventNotifier = (event: FollowedEvent) => Effect.Effect<unknown, never, Reach>

/**
 * Makes a function for each type of event. The function notifies people of the event. It acts for the person who caused
 * the event, but only in the space of the event. Only the pod can log events of these types. There is no function for
 * events about notifications, so a notification never causes another notification.
 */
const tellings = Effect.gen(function* () {
  const notifier = yield* Notifier
  const store = yield* NotificationStore
  const proposals = yield* DecidableProposals
  const records = yield* Records
  const log = yield* EventLog

  const newsOf = (
    { correlationId, id, spaceId, subjectId }: FollowedEvent,
    more: Partial<NewNotification> & Pick<NewNotification, "kind" | "subjectType">
  ): NewNotification => ({ spaceId, eventId: id, correlationId, subjectId, data: {}, ...more })

  const proposed: EventNotifier = Effect.fnUntraced(function* (event) {
    const people = yield* store.people(event.spaceId)
    const news = newsOf(event, { kind: "proposal_waiting", subjectType: "proposal" })
    for (const { id } of people) {
      if (id !== event.actorId) yield* notifier.notify(id, news, proposals.mayDecide(event.subjectId))
    }
  })

  const markProposalRead: EventNotifier = ({ subjectId }) => store.markSubjectRead("proposal_waiting", subjectId)

  const decided: EventNotifier = Effect.fnUntraced(function* (event) {
    yield* markProposalRead(event)
    const [proposal] = yield* proposals.listByIds([event.subjectId])
    // A person who decided on a proposal of their own agent needs no notification of the decision.
    if (proposal === undefined || proposal.userId === event.userId) return
    yield* notifier.notify(proposal.userId, newsOf(event, { kind: "proposal_decided", subjectType: "proposal" }))
  })

  /** Notifies the members of a space that a text mentions, except the author of the text. */
  const mentioned = Effect.fnUntraced(function* (event: FollowedEvent, text: string | null, news: NewNotification) {
    if (text === null || !text.includes("@")) return
    for (const id of mentionedPeople(text, yield* store.people(event.spaceId))) {
      if (id !== event.actorId) yield* notifier.notify(id, news)
    }
  })

  const mentionsInMessage: EventNotifier = (event) =>
    Effect.flatMap(Effect.option(records.get(Message, event.subjectId)), (message) =>
      Option.match(message, {
        onNone: () => Effect.void,
        onSome: ({ content, id, threadId }) => {
          const about = { subjectId: threadId, subjectType: "thread", data: { messageId: id } } as const
          return mentioned(event, content, newsOf(event, { kind: "mention", ...about }))
        }
      })
    )

  const written: EventNotifier = (event) =>
    Effect.flatMap(Effect.option(records.get(Document, event.subjectId)), (document) =>
      Option.match(document, {
        onNone: () => Effect.void,
        // Each write of a document contains all mentions again, including the earlier mentions. So the pod notifies
        // each person only once for each document.
        onSome: ({ content }) =>
          mentioned(event, content, newsOf(event, { kind: "mention", subjectType: "document", isOnce: true }))
      })
    )

  const posted: EventNotifier = (event) =>
    Effect.flatMap(Effect.option(records.get(Message, event.subjectId)), (message) =>
      Option.match(message, {
        onNone: () => Effect.void,
        onSome: ({ id, threadId }) => {
          const about = { subjectId: threadId, subjectType: "thread", data: { messageId: id } } as const
          return notifier.notify(event.userId, newsOf(event, { kind: "post", ...about }))
        }
      })
    )

  const noticed: EventNotifier = Effect.fnUntraced(function* (event) {
    const logged = yield* Effect.option(log.get(event.id))
    const notice = Option.flatMap(logged, ({ data }) => noticeData(data))
    if (Option.isNone(notice)) return
    const { about: record = null, personId, ruleId, runId, showsTitle = false, text } = notice.value
    const data = { text: shortenText(text ?? "", noticeMax), about: record, showsTitle }
    const about = { subjectId: ruleId ?? runId ?? event.subjectId, subjectType: "automation", data } as const
    yield* notifier.notify(personId, newsOf(event, { kind: "automation_notice", ...about }))
  })

  const own =
    (more: Pick<NewNotification, "kind" | "subjectType">): EventNotifier =>
    (event) =>
      notifier.notify(event.userId, newsOf(event, more))

  return new Map<string, EventNotifier>([
    ["proposal.create", proposed],
    ["proposal.approve", decided],
    ["proposal.reject", decided],
    ["proposal.revert", decided],
    ["proposal.withdraw", markProposalRead],
    ["message.create", mentionsInMessage],
    ["document.create", written],
    ["document.update", written],
    ["webhook.disabled", own({ kind: "webhook_failing", subjectType: "webhook" })],
    ["automation.failed", own({ kind: "automation_failed", subjectType: "automation" })],
    ["automation.notify", noticed],
    ["ai.nudge.posted", posted]
  ])
})

/** The types of the events that create or change a text in which people can be mentioned, by type of record. */
const textsOf = {
  document: ["document.create", "document.update"],
  message: ["message.create"]
}

/**
 * Selects the events that need a job. Most texts mention nobody. So one statement for each type of record finds the
 * texts with an `@`. Leaves out the events of the other texts.
 */
const worthTelling = (types: ReadonlyMap<string, unknown>) =>
  Effect.map(
    Records,
    (records) => (spaceId: string, events: ReadonlyArray<LoggedEvent>) =>
      Effect.gen(function* () {
        const about = (some: ReadonlyArray<string>) => [
          ...new Set(
            events.flatMap(({ subjectId, type }) => (subjectId !== null && some.includes(type) ? [subjectId] : []))
          )
        ]
        const idsOf = (ids: ReadonlyArray<string>) => ({
          where: { id: ids },
          containing: { field: "content", part: "@" },
          spaces: [spaceId],
          limit: ids.length
        })
        const [documents, messages] = [about(textsOf.document), about(textsOf.message)]
        const found = [
          ...(documents.length === 0 ? [] : (yield* records.list(DocumentHead, idsOf(documents))).items),
          ...(messages.length === 0 ? [] : (yield* records.list(Message, idsOf(messages))).items)
        ]
        const mentioning = new Set(found.map(({ id }) => id))
        const isText = (type: string) => [...textsOf.document, ...textsOf.message].includes(type)
        return events.filter(
          ({ subjectId, type }) =>
            types.has(type) && (!isText(type) || (subjectId !== null && mentioning.has(subjectId)))
        )
      })
  )

/** Notifies people until the scope closes. */
export const startNotifying = Effect.gen(function* () {
  const jobs = yield* Jobs
  const cursors = yield* EventCursors
  const tells = yield* tellings
  const worth = yield* worthTelling(tells)
  // If an upgrade adds this feature to a pod, the pod does not notify people of events before the upgrade.
  let begun: DateTime.Utc | null = null
  const since = Effect.suspend(() =>
    begun === null
      ? Effect.tap(cursors.began(consumer), (at) => Effect.sync(() => (begun = at)))
      : Effect.succeed(begun)
  )

  const tell = (event: FollowedEvent) => {
    const reach = systemReach("notifying people of an event", event.userId, [event.spaceId], {
      operation: queue.name,
      requestId: uuidv7(),
      client: noClient
    })
    return Effect.provideService(tells.get(event.type)?.(event) ?? Effect.void, Reach, reach)
  }

  yield* Effect.orDie(jobs.work(queue, tell))
  yield* followEvents({
    name: consumer,
    reason: "notifying people of events",
    types: [...tells.keys()],
    since,
    pollEvery: "1 second",
    // The pause between two reads of the event log. Without a pause, the pod would read the log after every write.
    pause: "250 millis",
    take: (spaceId, events) =>
      Effect.flatMap(worth(spaceId, events), (notifying) =>
        Effect.forEach(
          notifying,
          ({ actorId, correlationId, id, subjectId, type, userId }) =>
            jobs.enqueue(queue, { actorId, correlationId, id, spaceId, subjectId: subjectId ?? id, type, userId }),
          { discard: true }
        )
      )
  })
})

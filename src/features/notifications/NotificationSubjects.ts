/**
 * Finds the records that notifications are about (the subjects), and checks whether a person may read these records
 * now. A person who may not read a record gets no notification about it. The check runs when the pod decides to notify,
 * and again for each list of notifications.
 */
import { Array, Context, DateTime, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { AutomationRuleRecord } from "../automations/AutomationRule.ts"
import { AutomationRun } from "../automations/AutomationRun.ts"
import { recordTitles } from "../automations/TriggerRecord.ts"
import { Message } from "../conversations/Message.ts"
import { Thread } from "../conversations/Thread.ts"
import { DocumentHead } from "../documents/Document.ts"
import { Keys } from "../keys/Keys.ts"
import { DecidableProposals } from "../proposals/DecidableProposals.ts"
import { Records } from "../records/Records.ts"
import type { Common, OwnFields, RecordType } from "../records/RecordType.ts"
import { Webhook } from "../webhooks/Webhook.ts"
import type { StoredNotification, SubjectType } from "./Notification.ts"
import { shortenText } from "../../platform/StoredText.ts"

// the maximum number of characters of an excerpt
const excerptMax = 200

/** Shortens a text to its beginning. The result never ends with half of a surrogate pair. */
const excerptOf = (text: string): string => (text.length <= excerptMax ? text : `${shortenText(text, excerptMax - 1)}…`)

/**
 * The texts of a notification for a person. `isSettled` is true if the person need not act any more. For example,
 * somebody has already decided on the proposal.
 */
export interface Notice {
  readonly title: string
  readonly text: string | null
  readonly isSettled: boolean
}

export type UntitledNotification = Pick<StoredNotification, "id" | "kind" | "subjectId" | "subjectType" | "data">

export class NotificationSubjects extends Context.Tag("pod/NotificationSubjects")<
  NotificationSubjects,
  {
    /**
     * Returns the texts of the given notifications, by notification id, with a few statements. Leaves out a
     * notification if the caller may not read the record that it is about. Also leaves out a notification about a
     * proposal on which the caller is not allowed to decide.
     */
    readonly notices: (
      notifications: ReadonlyArray<UntitledNotification>
    ) => Effect.Effect<ReadonlyMap<string, Notice>, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const keys = yield* Keys
      const proposals = yield* DecidableProposals
      const titlesOf = yield* recordTitles

      /** Returns some fields of the records with these ids that the caller may read, by id. */
      const among = <A extends Common, const K extends keyof OwnFields<A> & string>(
        type: RecordType<A>,
        ids: ReadonlyArray<string>,
        fields: ReadonlyArray<K>
      ) => Effect.map(records.among(type, ids, fields), (found) => new Map(found.map((record) => [record.id, record])))

      const ofProposals = (notifications: ReadonlyArray<UntitledNotification>) =>
        Effect.map(proposals.listByIds(subjectsOf(notifications)), (found) => {
          const byId = new Map(found.map((proposal) => [proposal.id, proposal]))
          return noticesOf(notifications, ({ kind, subjectId }) => {
            const proposal = byId.get(subjectId)
            if (proposal === undefined) return undefined
            const isWaiting = proposal.status === "pending"
            if (kind === "proposal_waiting" && isWaiting && !proposal.mayDecide) return undefined
            return kind === "proposal_waiting"
              ? { title: "A proposal waits for your decision", text: proposal.summary, isSettled: !isWaiting }
              : { title: `A proposal was ${statusText(proposal.status)}`, text: proposal.summary, isSettled: false }
          })
        })

      const ofWebhooks = (notifications: ReadonlyArray<UntitledNotification>) =>
        Effect.map(among(Webhook, subjectsOf(notifications), ["name"]), (found) =>
          noticesOf(notifications, ({ subjectId }) => {
            const webhook = found.get(subjectId)
            return webhook && unsettledNotice(`The pod stopped calling the webhook “${webhook.name}”`, null)
          })
        )

      const ofKeys = Effect.fnUntraced(function* (notifications: ReadonlyArray<UntitledNotification>) {
        const found = yield* keys.listByIds(subjectsOf(notifications))
        const byId = new Map(found.map((key) => [key.id, key]))
        return noticesOf(notifications, ({ subjectId }) => {
          const key = byId.get(subjectId)
          if (key === undefined || key.expiresAt === null) return undefined
          const isSettled = key.revokedAt !== null || key.isRotated
          const title = `The key “${key.keyName}” expires at ${DateTime.formatIso(key.expiresAt)}`
          return { title, text: "Rotate the key to get a new one with the same rights.", isSettled }
        })
      })

      const ofThreads = Effect.fnUntraced(function* (notifications: ReadonlyArray<UntitledNotification>) {
        const threads = yield* among(Thread, subjectsOf(notifications), ["title"])
        const messageIds = unique(notifications.flatMap(({ data }) => data.messageId ?? []))
        const messages = yield* among(Message, messageIds, ["threadId", "content"])
        return noticesOf(notifications, ({ data, kind, subjectId }) => {
          const thread = threads.get(subjectId)
          const message = messages.get(data.messageId ?? "")
          if (thread === undefined || message === undefined || message.threadId !== thread.id) return undefined
          const where = thread.title === null ? "" : ` in “${thread.title}”`
          const title = kind === "post" ? `A message for you${where}` : `You were mentioned${where}`
          return unsettledNotice(title, excerptOf(message.content))
        })
      })

      const ofDocuments = (notifications: ReadonlyArray<UntitledNotification>) =>
        Effect.map(among(DocumentHead, subjectsOf(notifications), ["title"]), (found) =>
          noticesOf(notifications, ({ subjectId }) => {
            const document = found.get(subjectId)
            return document && unsettledNotice(`You were mentioned in the document “${document.title}”`, null)
          })
        )

      /**
       * Returns the texts of notices (messages from automation rules), by notification id. Leaves out a notice about a
       * record that the caller may not read now.
       */
      const noticeTexts = Effect.fnUntraced(function* (notifications: ReadonlyArray<UntitledNotification>) {
        const texts = new Map<string, string | null>()
        for (const { data, id } of notifications) {
          if (data.about === null || data.about === undefined)
            texts.set(id, data.about === null ? (data.text ?? null) : null)
        }
        const naming = notifications.flatMap(({ data, id }) =>
          data.about == null ? [] : [{ ...data, about: data.about, id }]
        )
        const places = Array.groupBy(naming, ({ about }) => `${about.type} ${about.spaceId}`)
        for (const ofPlace of Object.values(places)) {
          const [{ about: place }] = ofPlace
          const titles = yield* titlesOf(place.type, unique(ofPlace.map(({ about }) => about.id)), place.spaceId)
          for (const { about, id, showsTitle = false, text = null } of ofPlace) {
            const title = titles.get(about.id)
            if (title === undefined) continue
            texts.set(id, showsTitle && title !== null ? `${text ?? ""}: “${title}”` : text)
          }
        }
        return texts
      })

      const ofAutomations = Effect.fnUntraced(function* (notifications: ReadonlyArray<UntitledNotification>) {
        const ids = subjectsOf(notifications)
        const rules = yield* among(AutomationRuleRecord, ids, ["name"])
        const runs = yield* among(
          AutomationRun,
          ids.filter((id) => !rules.has(id)),
          []
        )
        const texts = yield* noticeTexts(notifications.filter(({ kind }) => kind === "automation_notice"))
        return noticesOf(notifications, ({ id, kind, subjectId }) => {
          const rule = rules.get(subjectId)
          if (rule === undefined && !runs.has(subjectId)) return undefined
          const name = rule === undefined ? "An automation" : `The automation “${rule.name}”`
          if (kind === "automation_failed") return unsettledNotice(`${name} failed`, null)
          const text = texts.get(id)
          return text === undefined ? undefined : unsettledNotice(`${name} has a message for you`, text)
        })
      })

      const byType: Readonly<
        Record<
          SubjectType,
          (
            notifications: ReadonlyArray<UntitledNotification>
          ) => Effect.Effect<ReadonlyArray<readonly [string, Notice]>, never, Reach>
        >
      > = {
        proposal: ofProposals,
        webhook: ofWebhooks,
        apiKey: ofKeys,
        thread: ofThreads,
        document: ofDocuments,
        automation: ofAutomations
      }

      return {
        notices: Effect.fnUntraced(function* (notifications) {
          const notices = new Map<string, Notice>()
          for (const [type, read] of Object.entries(byType)) {
            const ofType = notifications.filter(({ subjectType }) => subjectType === type)
            if (ofType.length > 0) for (const [id, notice] of yield* read(ofType)) notices.set(id, notice)
          }
          return notices
        })
      }
    })
  )
}

const unique = (ids: ReadonlyArray<string>) => [...new Set(ids)]
const subjectsOf = (notifications: ReadonlyArray<UntitledNotification>) =>
  unique(notifications.map(({ subjectId }) => subjectId))
const unsettledNotice = (title: string, text: string | null): Notice => ({ title, text, isSettled: false })

const noticesOf = (
  notifications: ReadonlyArray<UntitledNotification>,
  notice: (one: UntitledNotification) => Notice | undefined
): ReadonlyArray<readonly [string, Notice]> =>
  notifications.flatMap((one) => {
    const found = notice(one)
    return found === undefined ? [] : [[one.id, found] as const]
  })

const statusText = (status: string): string => status.replaceAll("_", " ")

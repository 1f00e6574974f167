/** A pod whose people get notifications, and the calls that the tests of notifications share. */
import { Effect } from "effect"
import { assertOk, procedureData } from "../attacks/attackScene.ts"
import { noClient, systemReach } from "../../src/doors/Reach.ts"
import { AutomationRun } from "../../src/features/automations/AutomationRun.ts"
import type { EventDraft } from "../../src/features/events/Event.ts"
import { EventLog } from "../../src/features/events/EventLog.ts"
import { Passed } from "../../src/features/gate/Passed.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { addAnyRecord } from "./anyRecord.ts"
import { withReach } from "./stores.ts"
import { NotificationUpkeep } from "../../src/features/notifications/NotificationUpkeep.ts"
import { aPod, type Caller, type Storage, type TestPod } from "./pod.ts"
import { aMoment } from "./aMoment.ts"

export interface ShownNotification {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly title: string
  readonly text: string
  readonly count: number
  readonly subjectId: string
  readonly subjectType: string
  readonly workspaceId: string | null
  readonly heldUntil: string
  readonly createdAt: string
  readonly readAt: string | null
}

type Filter = Readonly<Record<string, string | boolean | number>>

export interface NotificationScene {
  readonly pod: TestPod
  readonly listed: (person: Caller, filter?: Filter) => Promise<ReadonlyArray<ShownNotification>>
  readonly counted: (person: Caller) => Promise<number>
  /** Requests the list of notifications again and again until `fits` accepts it. Returns that list. */
  readonly until: (
    person: Caller,
    filter: Filter,
    fits: (listed: ReadonlyArray<ShownNotification>) => boolean
  ) => Promise<ReadonlyArray<ShownNotification>>
  /** Makes an agent of the person propose a new track (a kind of record) in the workspace. */
  readonly proposes: (
    workspaceId: string,
    person?: Caller
  ) => Promise<{ readonly proposalId: string; readonly agent: Caller & { readonly id: string } }>
  readonly says: (person: Caller, threadId: string, content: string) => Promise<{ readonly messageId: string }>
  /** Begins a thread whose first message has this content. */
  readonly mentions: (
    person: Caller,
    workspaceId: string | null,
    content: string
  ) => Promise<{ readonly threadId: string }>
  /** Returns quiet hours that contain the present moment. */
  readonly quietNow: () => { readonly from: string; readonly to: string; readonly timezone: string }
  /** Makes the pod log an event of this person in this space. */
  readonly logs: (personId: string, spaceId: string, event: EventDraft) => Promise<unknown>
  /** Makes the pod store a run of an automation. Returns the id of the run. */
  readonly logsRun: (personId: string, spaceId: string) => Promise<string>
  /** Runs the work that the pod does every hour. */
  readonly upkeep: () => Promise<void>
}

const podReach = (personId: string, spaceId: string) =>
  systemReach("test", personId, [...new Set([spaceId, personId])], {
    operation: "test",
    requestId: uuidv7(),
    client: noClient
  })

const timeOf = (date: Date) => date.toISOString().slice(11, 16)
const hourMs = 3_600_000

export const aNotificationScene = async (storage: Storage): Promise<NotificationScene> => {
  const pod = await aPod(storage)
  const listed: NotificationScene["listed"] = async (person, filter = {}) =>
    procedureData(await person.query("notifCenter.list", filter))
  const says: NotificationScene["says"] = async (person, threadId, content) =>
    assertOk(await person.send("POST", `/api/hub/threads/${threadId}/messages`, { role: "user", content }))
  return {
    pod,
    listed,
    says,
    counted: async (person) => procedureData(await person.query("notifCenter.unreadCount", {})).count,
    until: async (person, filter, fits) => {
      for (;;) {
        const found = await listed(person, filter)
        if (fits(found)) return found
        await aMoment()
      }
    },
    proposes: async (workspaceId, person = pod.owner) => {
      const draft = { name: "Scribe", capabilities: ["*"] }
      const agentId = procedureData(await person.mutate("agents.create", draft)).id as string
      const enrolled = { agentUserId: agentId, workspaceId }
      assertOk(await person.send("POST", "/api/hub/workspaces/enroll-agent", enrolled))
      const agent = await pod.aKey(person, { agentId })
      const { proposalId } = assertOk(await agent.send("POST", "/api/hub/tracks", { name: "Harbour", workspaceId }))
      return { proposalId, agent }
    },
    mentions: async (person, workspaceId, content) => {
      const { id } = assertOk(await person.send("POST", "/api/hub/threads", { workspaceId, title: "Talk" }))
      await says(person, id, content)
      return { threadId: id }
    },
    quietNow: () => {
      const now = Date.now()
      return { from: timeOf(new Date(now - hourMs)), to: timeOf(new Date(now + hourMs)), timezone: "UTC" }
    },
    logs: (personId, spaceId, event) =>
      pod.run(
        Effect.flatMap(EventLog, ({ append }) =>
          append(spaceId, event, Passed.bySystem("record the run of an automation"))
        ).pipe(withReach(podReach(personId, spaceId)))
      ),
    logsRun: (personId, spaceId) => {
      const times = { startedAt: null, finishedAt: null }
      const more = {
        automationId: null,
        ruleId: null,
        status: "failed" as const,
        output: null,
        error: null,
        eventId: null
      }
      return pod.run(
        Effect.map(
          addAnyRecord(podReach(personId, spaceId), AutomationRun, spaceId, { ...times, ...more }),
          ({ id }) => id
        )
      )
    },
    upkeep: () => pod.run(Effect.flatMap(NotificationUpkeep, ({ run }) => run))
  }
}

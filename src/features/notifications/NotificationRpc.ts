/** The procedures of notifications: list and count them, mark or dismiss them, and set the preferences. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/DeclareProcedure.ts"
import { fullGrant, writes } from "../../doors/Door.ts"
import { Id } from "../../doors/Id.ts"
import { pageOf } from "../../doors/Page.ts"
import {
  ChangedCount,
  InboxStats,
  ManyInput,
  Notification,
  NotificationInput,
  NotificationPreferences,
  PreferencesChange,
  UnreadCount
} from "./Notification.ts"

const reading = fullGrant("hub-protocol.read")
const changing = writes("hub-protocol.write", "notification", ["update"])
const one = Schema.Struct({ id: Id })

export const NotificationProcedures = RpcGroup.make(
  query("notifCenter.list", {
    input: NotificationInput,
    success: pageOf(Notification),
    door: reading,
    summary: "List your notifications, latest event first, except the dismissed ones."
  }),
  query("notifCenter.unreadCount", {
    input: NoInput,
    success: UnreadCount,
    door: reading,
    summary: "Count your unread notifications. Notifications that came in quiet hours count only after these hours."
  }),
  query("notifCenter.getPrefs", {
    input: NoInput,
    success: NotificationPreferences,
    door: reading,
    summary: "Read which notifications you want, and your quiet hours."
  }),
  query("inbox.stats", {
    input: NoInput,
    success: InboxStats,
    door: reading,
    summary: "Count your unread notifications, and those that wait for the end of quiet hours."
  }),
  mutation("notifCenter.markRead", {
    input: one,
    success: Notification,
    door: changing,
    summary: "Mark one of your notifications as read. Only for people."
  }),
  mutation("notifCenter.markAllRead", {
    input: ManyInput,
    success: ChangedCount,
    door: changing,
    summary: "Mark your unread notifications as read: all, or those of a kind or a workspace. Only for people."
  }),
  mutation("notifCenter.dismiss", {
    input: one,
    success: Notification,
    door: changing,
    summary: "Dismiss one of your notifications: it is no longer listed. Only for people."
  }),
  mutation("notifCenter.dismissAll", {
    input: ManyInput,
    success: ChangedCount,
    door: changing,
    summary: "Dismiss your notifications: all, or those of a kind or a workspace. Only for people."
  }),
  mutation("notifCenter.setPrefs", {
    input: PreferencesChange,
    success: NotificationPreferences,
    door: changing,
    summary: "Set which notifications you want: kinds, quiet hours, muted workspaces. Only for people."
  })
)

/** The Hub endpoints of notifications: list and count them, mark or dismiss them, and set the preferences. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrant, writes } from "../../doors/Door.ts"
import { idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import {
  ChangedCount,
  ManyInput,
  Notification,
  NotificationPreferences,
  NotificationQuery,
  PreferencesChange,
  UnreadCount
} from "./Notification.ts"

const reading = fullGrant("hub-protocol.read")
const changing = writes("hub-protocol.write", "notification", ["update"])

export const NotificationApi = HttpApiGroup.make("notifications")
  .annotate(
    OpenApi.Description,
    "Notifications: proposals that wait for you, decisions, mentions, failures and posts. You see only notifications about records that you may read now."
  )
  .add(
    read("notifications.list", {
      path: "/notifications",
      query: NotificationQuery,
      success: pageOf(Notification),
      door: reading,
      summary: "List your notifications, latest event first, except the dismissed ones."
    })
  )
  .add(
    read("notifications.unreadCount", {
      path: "/notifications/unread-count",
      success: UnreadCount,
      door: reading,
      summary: "Count your unread notifications. Notifications that came in quiet hours count only after these hours."
    })
  )
  .add(
    write("notifications.read", {
      method: "POST",
      path: "/notifications/:id/read",
      params: idPath,
      success: Notification,
      door: changing,
      summary: "Mark one of your notifications as read. Only for people."
    })
  )
  .add(
    write("notifications.dismiss", {
      method: "POST",
      path: "/notifications/:id/dismiss",
      params: idPath,
      success: Notification,
      door: changing,
      summary: "Dismiss one of your notifications: it is no longer listed. Only for people."
    })
  )
  .add(
    write("notifications.readAll", {
      method: "POST",
      path: "/notifications/read-all",
      payload: ManyInput,
      success: ChangedCount,
      door: changing,
      summary: "Mark your unread notifications as read: all, or those of a kind or a workspace. Only for people."
    })
  )
  .add(
    write("notifications.dismissAll", {
      method: "POST",
      path: "/notifications/dismiss-all",
      payload: ManyInput,
      success: ChangedCount,
      door: changing,
      summary: "Dismiss your notifications: all, or those of a kind or a workspace. Only for people."
    })
  )
  .add(
    read("notifications.preferences", {
      path: "/notifications/preferences",
      success: NotificationPreferences,
      door: reading,
      summary: "Read which notifications you want, and your quiet hours."
    })
  )
  .add(
    write("notifications.setPreferences", {
      method: "PATCH",
      path: "/notifications/preferences",
      payload: PreferencesChange,
      success: NotificationPreferences,
      door: changing,
      summary: "Set which notifications you want: kinds, quiet hours, muted workspaces. Only for people."
    })
  )

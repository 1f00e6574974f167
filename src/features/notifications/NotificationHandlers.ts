/**
 * The handlers of notifications. They pass each call of an endpoint or a procedure to the service and return its
 * result.
 */
import { Effect, Layer } from "effect"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { NotificationApi } from "./NotificationApi.ts"
import { NotificationProcedures } from "./NotificationRpc.ts"
import { Notifications } from "./Notifications.ts"

const changed = (count: number) => ({ success: true as const, count })

const rest = implement(
  NotificationApi,
  Effect.map(Notifications, ({ list, mark, markAll, preferences, setPreferences, unreadCount }) => ({
    "notifications.list": ({ urlParams }) => list(urlParams),
    "notifications.unreadCount": () => unreadCount,
    "notifications.read": ({ path }) => mark(path.id, "read"),
    "notifications.dismiss": ({ path }) => mark(path.id, "dismiss"),
    "notifications.readAll": ({ payload }) => Effect.map(markAll(payload, "read"), changed),
    "notifications.dismissAll": ({ payload }) => Effect.map(markAll(payload, "dismiss"), changed),
    "notifications.preferences": () => preferences,
    "notifications.setPreferences": ({ payload }) => setPreferences(payload)
  }))
)

const procedures = implementProcedures(
  NotificationProcedures,
  Effect.map(Notifications, ({ list, mark, markAll, preferences, setPreferences, stats, unreadCount }) => ({
    "notifCenter.list": list,
    "notifCenter.unreadCount": () => unreadCount,
    "inbox.stats": () => stats,
    "notifCenter.getPrefs": () => preferences,
    "notifCenter.markRead": ({ id }) => mark(id, "read"),
    "notifCenter.markAllRead": (which) => Effect.map(markAll(which, "read"), changed),
    "notifCenter.dismiss": ({ id }) => mark(id, "dismiss"),
    "notifCenter.dismissAll": (which) => Effect.map(markAll(which, "dismiss"), changed),
    "notifCenter.setPrefs": setPreferences
  }))
)

export const layer = Layer.merge(rest, procedures)

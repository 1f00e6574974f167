/** The template for meeting notes: meetings, and the decisions and actions that each meeting produces. */
import { board, calendar, choice, date, entityProperty, table, type Template, text } from "../Template.ts"

export const meetingNotes: Template = {
  slug: "meeting-notes",
  version: 1,
  name: "Meeting notes",
  description: "Meetings, and the decisions and actions that come out of them.",
  profiles: [
    {
      slug: "meeting",
      displayName: "Meeting",
      description: "A talk between several people, with its notes.",
      icon: "calendar",
      properties: [date("at", "Date"), text("agenda", "Agenda"), entityProperty("host", "Host", "person")]
    },
    {
      slug: "decision",
      displayName: "Decision",
      description: "Something that was decided, with the reason.",
      icon: "check",
      properties: [
        entityProperty("meeting", "Meeting", "meeting"),
        text("reason", "Reason"),
        date("decided", "Decided")
      ]
    },
    {
      slug: "action-item",
      displayName: "Action item",
      description: "Something that somebody promised to do.",
      icon: "list",
      properties: [
        entityProperty("meeting", "Meeting", "meeting"),
        entityProperty("owner", "Owner", "person"),
        date("due", "Due"),
        choice("state", "State", ["open", "done", "dropped"])
      ]
    }
  ],
  views: [
    calendar("Meetings by date", "meeting", "at"),
    board("Action items by state", "action-item", "state"),
    table("Decisions", "decision", ["title", "decided", "reason"])
  ],
  commands: [
    { name: "Write up a meeting", triggerSlug: "write-up", description: "Turns notes into decisions and action items." }
  ]
}

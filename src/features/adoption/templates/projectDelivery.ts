/** The template for project delivery: milestones, tasks and risks of projects. */
import { board, calendar, choice, date, entityProperty, table, type Template, text } from "../Template.ts"

export const projectDelivery: Template = {
  slug: "project-delivery",
  version: 1,
  name: "Project delivery",
  description: "Milestones, tasks and risks of projects.",
  profiles: [
    {
      slug: "milestone",
      displayName: "Milestone",
      description: "A result that is due at a date.",
      icon: "flag",
      properties: [date("due", "Due"), choice("state", "State", ["planned", "at_risk", "reached", "missed"])]
    },
    {
      slug: "task",
      displayName: "Task",
      description: "Something to be done.",
      icon: null,
      properties: [
        choice("progress", "Progress", ["open", "doing", "waiting", "done"]),
        date("due", "Due"),
        entityProperty("assignee", "Assignee", "person"),
        entityProperty("milestone", "Milestone", "milestone")
      ]
    },
    {
      slug: "risk",
      displayName: "Risk",
      description: "Something that may go wrong.",
      icon: "alert",
      properties: [
        choice("likelihood", "Likelihood", ["low", "medium", "high"]),
        choice("impact", "Impact", ["low", "medium", "high"]),
        text("response", "Response")
      ]
    }
  ],
  views: [
    board("Tasks by progress", "task", "progress"),
    calendar("Milestones by date", "milestone", "due"),
    table("Risks", "risk", ["title", "likelihood", "impact", "response"])
  ],
  commands: [
    {
      name: "Status report",
      triggerSlug: "status-report",
      description: "Reports what changed, what waits and what is at risk."
    }
  ]
}

/** The template for a support desk: tickets of customers, and answers that the support team often gives. */
import { board, choice, date, entityProperty, table, type Template, text } from "../Template.ts"

export const supportDesk: Template = {
  slug: "support-desk",
  version: 1,
  name: "Support desk",
  description: "Tickets of customers, and answers that are given often.",
  profiles: [
    {
      slug: "ticket",
      displayName: "Ticket",
      description: "Something a customer needs help with.",
      icon: "ticket",
      properties: [
        choice("state", "State", ["new", "in_work", "waiting", "solved"]),
        choice("priority", "Priority", ["low", "normal", "high", "urgent"]),
        entityProperty("customer", "Customer", "company"),
        entityProperty("reporter", "Reporter", "person"),
        date("due", "Due")
      ]
    },
    {
      slug: "answer",
      displayName: "Answer",
      description: "An answer that is given often.",
      icon: "reply",
      properties: [text("situation", "When it fits"), date("reviewed", "Last reviewed")]
    }
  ],
  views: [board("Tickets by state", "ticket", "state"), table("Answers", "answer", ["title", "situation", "reviewed"])],
  commands: [
    {
      name: "Draft an answer",
      triggerSlug: "draft-answer",
      description: "Writes an answer to a ticket, based on earlier answers."
    }
  ]
}

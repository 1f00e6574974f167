/**
 * The template for customer relations: companies, the people who work at these companies, and deals with the companies.
 */
import { board, choice, date, email, number, entityProperty, table, type Template, text, url } from "../Template.ts"

export const customerRelations: Template = {
  slug: "customer-relations",
  version: 1,
  name: "Customer relations",
  description: "Companies, the people there, and the deals with them.",
  profiles: [
    {
      slug: "company",
      displayName: "Company",
      description: "An organisation the team deals with.",
      icon: null,
      properties: [
        url("website", "Website"),
        choice("relationship", "Relationship", ["lead", "customer", "partner", "past"])
      ]
    },
    {
      slug: "person",
      displayName: "Person",
      description: "Somebody the team deals with.",
      icon: null,
      properties: [
        email("email", "E-mail"),
        text("position", "Position"),
        entityProperty("company", "Company", "company")
      ]
    },
    {
      slug: "deal",
      displayName: "Deal",
      description: "Something that a customer may buy.",
      icon: "handshake",
      properties: [
        choice("stage", "Stage", ["new", "talking", "offered", "won", "lost"]),
        number("amount", "Amount", { min: 0 }),
        date("closes", "Expected to close"),
        entityProperty("company", "Company", "company"),
        entityProperty("contact", "Contact", "person")
      ]
    }
  ],
  views: [
    board("Deals by stage", "deal", "stage"),
    table("Companies", "company", ["title", "relationship", "website"])
  ],
  commands: [
    { name: "Pipeline report", triggerSlug: "pipeline", description: "Sums up the open deals by stage." },
    { name: "Prepare a call", triggerSlug: "prepare-call", description: "Collects what is known about a contact." }
  ]
}

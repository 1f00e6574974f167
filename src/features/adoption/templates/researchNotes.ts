/** The template for research notes: questions, sources and findings. */
import { board, choice, date, entityProperty, table, type Template, text, url } from "../Template.ts"

export const researchNotes: Template = {
  slug: "research-notes",
  version: 1,
  name: "Research notes",
  description: "Questions, sources and findings.",
  profiles: [
    {
      slug: "question",
      displayName: "Question",
      description: "Something the team wants to know.",
      icon: "question",
      properties: [choice("state", "State", ["open", "in_work", "answered", "dropped"]), text("why", "Why it matters")]
    },
    {
      slug: "source",
      displayName: "Source",
      description: "A text, a data set or a person as a source of knowledge.",
      icon: "book",
      properties: [
        url("link", "Link"),
        text("author", "Author"),
        date("published", "Published"),
        choice("trust", "Trust", ["low", "medium", "high"])
      ]
    },
    {
      slug: "finding",
      displayName: "Finding",
      description: "An answer, or a part of one, with its source.",
      icon: "bulb",
      properties: [
        entityProperty("question", "Question", "question"),
        entityProperty("source", "Source", "source"),
        choice("confidence", "Confidence", ["low", "medium", "high"])
      ]
    }
  ],
  views: [
    board("Questions by state", "question", "state"),
    table("Findings", "finding", ["title", "question", "source", "confidence"])
  ],
  commands: [
    {
      name: "Sum up a question",
      triggerSlug: "sum-up",
      description: "Collects the findings of one question with their sources."
    }
  ]
}

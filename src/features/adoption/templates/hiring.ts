/** The template for hiring: open positions, candidates and interviews. */
import { board, calendar, choice, date, email, entityProperty, table, type Template, text } from "../Template.ts"

export const hiring: Template = {
  slug: "hiring",
  version: 1,
  name: "Hiring",
  description: "Open positions, candidates and interviews.",
  profiles: [
    {
      slug: "position",
      displayName: "Position",
      description: "A job that is open.",
      icon: "briefcase",
      properties: [choice("state", "State", ["planned", "open", "filled", "closed"]), text("team", "Team")]
    },
    {
      slug: "candidate",
      displayName: "Candidate",
      description: "Somebody who may fill a position.",
      icon: "user",
      properties: [
        email("email", "E-mail"),
        entityProperty("position", "Position", "position"),
        choice("stage", "Stage", ["applied", "screening", "interview", "offer", "hired", "declined"])
      ]
    },
    {
      slug: "interview",
      displayName: "Interview",
      description: "A talk with a candidate.",
      icon: "chat",
      properties: [
        entityProperty("candidate", "Candidate", "candidate"),
        entityProperty("interviewer", "Interviewer", "person"),
        date("at", "Date"),
        choice("verdict", "Verdict", ["yes", "no", "unsure"])
      ]
    }
  ],
  views: [
    board("Candidates by stage", "candidate", "stage"),
    calendar("Interviews by date", "interview", "at"),
    table("Positions", "position", ["title", "state", "team"])
  ],
  commands: [
    {
      name: "Prepare an interview",
      triggerSlug: "prepare-interview",
      description: "Collects what is known about a candidate."
    }
  ]
}

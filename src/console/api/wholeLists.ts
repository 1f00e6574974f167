/**
 * Reads whole lists of the person's records, page by page. Screens that sort or filter all rows, or offer them as
 * choices, use these lists.
 */
import { queryOptions } from "@tanstack/react-query"
import { type AnswerOf, hubPage } from "./hub.ts"
import { everyPage } from "./everyPage.ts"
import { askPage, type ProcedureOutput } from "./procedures.ts"
import type { Refusal } from "./refusal.ts"

type List<Row> = ReadonlyArray<Row>
type Role = ProcedureOutput<"roles.list">[number]
type Webhook = AnswerOf<"GET /api/hub/webhooks">[number]
type Person = AnswerOf<"GET /api/hub/people">[number]
type Invitation = AnswerOf<"GET /api/hub/invitations">[number]
type SharedEntry = ProcedureOutput<"secretsVault.sharedWithMe">[number]
type Project = AnswerOf<"GET /api/hub/projects">[number]

// The pod returns at most this many rows on a page of these lists.
export const rolesAtOnce = 200
export const webhooksAtOnce = 200
const peopleAtOnce = 200
export const invitationsAtOnce = 200
const projectsAtOnce = 100
const sharedEntriesAtOnce = 500

export const allRolesQuery = queryOptions<List<Role>, Refusal>({
  queryKey: ["roles", "roles.list", "everyPage"],
  queryFn: ({ signal }) =>
    everyPage({ atOnce: rolesAtOnce, read: (page, stop) => askPage("roles.list", page, stop) }, signal)
})

export const allWebhooksQuery = queryOptions<List<Webhook>, Refusal>({
  queryKey: ["webhooks", "GET /api/hub/webhooks", "everyPage"],
  queryFn: ({ signal }) =>
    everyPage(
      { atOnce: webhooksAtOnce, read: (query, stop) => hubPage("GET /api/hub/webhooks", { query }, stop) },
      signal
    )
})

/** Only the owner and administrators may list all people. */
export const allPeopleQuery = queryOptions<List<Person>, Refusal>({
  queryKey: ["people", "GET /api/hub/people", "everyPage"],
  queryFn: ({ signal }) =>
    everyPage({ atOnce: peopleAtOnce, read: (query, stop) => hubPage("GET /api/hub/people", { query }, stop) }, signal)
})

export const allInvitationsQuery = queryOptions<List<Invitation>, Refusal>({
  queryKey: ["invitations", "GET /api/hub/invitations", "everyPage"],
  queryFn: ({ signal }) =>
    everyPage(
      { atOnce: invitationsAtOnce, read: (query, stop) => hubPage("GET /api/hub/invitations", { query }, stop) },
      signal
    )
})

/** The vault entries that other people share with the person. */
export const allSharedEntriesQuery = queryOptions<List<SharedEntry>, Refusal>({
  queryKey: ["secretsVault", "secretsVault.sharedWithMe", "everyPage"],
  queryFn: ({ signal }) =>
    everyPage(
      { atOnce: sharedEntriesAtOnce, read: (page, stop) => askPage("secretsVault.sharedWithMe", page, stop) },
      signal
    )
})

export const allProjectsQuery = queryOptions<List<Project>, Refusal>({
  queryKey: ["projects", "GET /api/hub/projects", "everyPage"],
  queryFn: ({ signal }) =>
    everyPage(
      { atOnce: projectsAtOnce, read: (query, stop) => hubPage("GET /api/hub/projects", { query }, stop) },
      signal
    )
})

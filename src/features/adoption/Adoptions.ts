/**
 * Sets up a workspace with a template. For each part, the gate decides whether the write is allowed, refused or
 * proposed. Parts that the workspace already has stay as they are.
 */
import { Context, Effect, Layer } from "effect"
import { type Forbidden, invalid, type WriteRefusal } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Commands } from "../commands/Commands.ts"
import { ProfileRecords } from "../profiles/ProfileRecords.ts"
import type { StoredProfile } from "../profiles/Profile.ts"
import { Views } from "../views/Views.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import type { AdoptionResult, AdoptedItem, AdoptionDraft } from "./Adoption.ts"
import type { Template, TemplateProfile } from "./Template.ts"
import { templates } from "./Templates.ts"

const listMax = 1000 // the maximum number of profiles, views or commands of a workspace that one call reads

type Item = Pick<AdoptedItem, "type" | "name">

export class Adoptions extends Context.Tag("pod/Adoptions")<
  Adoptions,
  {
    /**
     * Creates the parts of a template in a workspace. Fails with Invalid if the template is unknown. Fails with
     * Forbidden if the caller cannot reach the workspace, or is not allowed to create one of the parts. If one part
     * fails, writes no part. A repeated call adds the missing parts.
     */
    readonly adopt: (draft: AdoptionDraft) => Effect.Effect<AdoptionResult, WriteRefusal, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const commands = yield* Commands
      const profiles = yield* ProfileRecords
      const views = yield* Views
      const { exclusively } = yield* Transaction

      /**
       * Creates one part of the template. If the write of this part becomes a proposal, the answer says so, and the pod
       * still creates the other parts.
       */
      const createItem = <A extends { readonly id: string }>(
        item: Item,
        create: Effect.Effect<A, WriteRefusal | Proposed, Reach>
      ) =>
        create.pipe(
          Effect.map(({ id }): AdoptedItem => ({ ...item, outcome: "created", id })),
          Effect.catchTag("Proposed", ({ answer }) =>
            Effect.succeed<AdoptedItem>({ ...item, outcome: "proposed", id: answer.proposalId })
          )
        )

      const existingItem = (item: Item, id: string): AdoptedItem => ({ ...item, outcome: "kept", id })

      const page = { limit: listMax, offset: 0, cursor: undefined }
      const listProfiles = (workspaceId: string): Effect.Effect<ReadonlyArray<StoredProfile>, Forbidden, Reach> =>
        Effect.map(profiles.list({ workspaceId, profileKind: undefined, ...page }), ({ items }) => items)

      const aProfile = Effect.fnUntraced(function* (
        workspaceId: string,
        { description, displayName, icon, slug }: TemplateProfile
      ) {
        const item = { type: "profile", name: slug } as const
        const found = (yield* listProfiles(workspaceId)).find((each) => each.slug === slug)
        if (found !== undefined) return existingItem(item, found.id)
        const blank = { color: null, parentProfileId: null, defaultValues: {}, uiHints: {}, applicableKinds: [] }
        const kind = { profileKind: "kind", entityScope: "workspace" } as const
        return yield* createItem(
          item,
          profiles.create({ workspaceId, fields: { ...blank, ...kind, slug, displayName, description, icon } })
        )
      })

      const itsProperties = Effect.fnUntraced(function* (
        workspaceId: string,
        { properties, slug }: TemplateProfile,
        profile: AdoptedItem
      ) {
        const profileId = profile.outcome === "proposed" ? undefined : profile.id
        const listing = { workspaceId, where: { profileId }, limit: listMax }
        const existing = profileId === undefined ? [] : (yield* profiles.definitions.list(listing)).items
        return yield* Effect.forEach(properties, ({ constraints = {}, ...property }) => {
          const item = { type: "property", name: `${slug}.${property.slug}` } as const
          if (profileId === undefined) return Effect.succeed<AdoptedItem>({ ...item, outcome: "waiting" })
          const found = existing.find((each) => each.slug === property.slug)
          if (found !== undefined) return Effect.succeed(existingItem(item, found.id))
          const fields = { ...property, profileId, constraints, uiHints: {} }
          return createItem(item, profiles.definitions.create({ workspaceId, fields }))
        })
      })

      const itsViews = Effect.fnUntraced(function* (workspaceId: string, template: Template) {
        const kinds = yield* listProfiles(workspaceId)
        const { items: existing } = yield* views.list({ workspaceId, limit: listMax })
        return yield* Effect.forEach(template.views, ({ profileSlug, ...view }) => {
          const item = { type: "view", name: view.name } as const
          const found = existing.find((each) => each.name === view.name)
          if (found !== undefined) return Effect.succeed(existingItem(item, found.id))
          const profileId = kinds.find((each) => each.slug === profileSlug)?.id
          if (profileId === undefined) return Effect.succeed<AdoptedItem>({ ...item, outcome: "waiting" })
          return createItem(item, views.create({ workspaceId, fields: { ...view, profileId, metadata: {} } }))
        })
      })

      const itsCommands = Effect.fnUntraced(function* (workspaceId: string, template: Template) {
        const { items: existing } = yield* commands.list({ workspaceId, limit: listMax })
        return yield* Effect.forEach(template.commands, (command) => {
          const item = { type: "command", name: command.triggerSlug } as const
          const found = existing.find((each) => each.triggerSlug === command.triggerSlug)
          if (found !== undefined) return Effect.succeed(existingItem(item, found.id))
          const fields = { ...command, skillId: null, config: {}, sharing: "space" } as const
          return createItem(item, commands.create({ workspaceId, fields }))
        })
      })

      const parts = Effect.fnUntraced(function* (workspaceId: string, template: Template) {
        const items: Array<AdoptedItem> = []
        for (const profile of template.profiles) {
          const item = yield* aProfile(workspaceId, profile)
          items.push(item, ...(yield* itsProperties(workspaceId, profile, item)))
        }
        return [...items, ...(yield* itsViews(workspaceId, template)), ...(yield* itsCommands(workspaceId, template))]
      })

      return {
        adopt: Effect.fnUntraced(function* ({ templateSlug, workspaceId }) {
          yield* requestedSpace(workspaceId)
          const template = templates.find(({ slug }) => slug === templateSlug)
          if (template === undefined) {
            const slugs = templates.map(({ slug }) => slug).join(", ")
            return yield* invalid("templateSlug", `This pod has no template with this slug. Use one of ${slugs}.`)
          }
          // If the grant or the role of the caller does not cover every part, the pod refuses the call before it writes
          // the first part.
          for (const part of [profiles.definitions, views, commands]) yield* part.mayCreate(workspaceId)
          // Adoptions of one workspace run one after another. Two adoptions at the same time would not see each other's
          // parts, so the workspace could get two views with the same name.
          const items = yield* exclusively(`adoption ${workspaceId}`, parts(workspaceId, template))
          const complete = items.every(({ outcome }) => outcome === "created" || outcome === "kept")
          return { workspaceId, templateSlug, complete, items }
        })
      }
    })
  )
}

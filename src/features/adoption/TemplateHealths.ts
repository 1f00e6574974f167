/**
 * Compares workspaces with the templates that they use. The result says which parts of the latest version of a template
 * each workspace has.
 */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import { Commands } from "../commands/Commands.ts"
import { ProfileRecords } from "../profiles/ProfileRecords.ts"
import { Views } from "../views/Views.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type { Template } from "./Template.ts"
import { templates } from "./Templates.ts"
import type { TemplateHealth, TemplateHealthInput } from "./TemplateTools.ts"

const listMax = 1000 // the maximum number of profiles, views or commands of a workspace that one call reads
const workspacesMax = 25 // the maximum number of workspaces that one call examines; the pod reads four lists for each

/**
 * The names of the profiles, properties, views and commands of a workspace, in the form in which templates name them.
 */
interface Present {
  readonly profiles: ReadonlyMap<string, { readonly id: string; readonly isOwn: boolean }>
  readonly properties: ReadonlySet<string>
  readonly views: ReadonlySet<string>
  readonly commands: ReadonlySet<string | null>
}

/** Lists the parts of a template, and says for each part whether the workspace has it. */
const partsOf = (template: Template, present: Present) => [
  ...template.profiles.flatMap(({ properties, slug }) => [
    {
      part: `profile ${slug}`,
      isThere: present.profiles.has(slug),
      isMark: present.profiles.get(slug)?.isOwn === true
    },
    ...properties.map((property) => ({
      part: `property ${slug}.${property.slug}`,
      isThere: present.properties.has(`${slug}.${property.slug}`),
      isMark: false
    }))
  ]),
  ...template.views.map(({ name }) => ({ part: `view ${name}`, isThere: present.views.has(name), isMark: false })),
  ...template.commands.map(({ triggerSlug }) => ({
    part: `command ${triggerSlug}`,
    isThere: present.commands.has(triggerSlug),
    isMark: false
  }))
]

/**
 * Returns which parts of one template the workspace has. Returns undefined if no profile of the template is stored in
 * the workspace.
 */
const healthOf = (template: Template, present: Present) => {
  const parts = partsOf(template, present)
  if (!parts.some(({ isMark }) => isMark)) return undefined
  const missing = parts.filter(({ isThere }) => !isThere).map(({ part }) => part)
  return {
    templateSlug: template.slug,
    installedVersion: missing.length === 0 ? template.version : null,
    latestVersion: template.version,
    drifted: missing.length > 0,
    missing
  }
}

export class TemplateHealths extends Context.Tag("pod/TemplateHealths")<
  TemplateHealths,
  {
    /**
     * Examines one workspace, or all workspaces of the caller. Fails with Forbidden for a workspace that the caller
     * cannot reach.
     */
    readonly of: (input: TemplateHealthInput) => Effect.Effect<TemplateHealth, Forbidden, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const commands = yield* Commands
      const profiles = yield* ProfileRecords
      const views = yield* Views
      const workspaces = yield* Workspaces

      const presentIn = (workspaceId: string): Effect.Effect<Present, Forbidden, Reach> =>
        Effect.gen(function* () {
          const page = { limit: listMax, offset: 0, cursor: undefined }
          const { items: kinds } = yield* profiles.list({ workspaceId, profileKind: undefined, ...page })
          const { items: definitions } = yield* profiles.definitions.list({ workspaceId, limit: listMax })
          const slugs = new Map(kinds.map(({ id, slug }) => [id, slug]))
          return {
            profiles: new Map(
              kinds.map((kind) => [kind.slug, { id: kind.id, isOwn: kind.workspaceId === workspaceId }])
            ),
            properties: new Set(definitions.map(({ profileId, slug }) => `${slugs.get(profileId ?? "")}.${slug}`)),
            views: new Set((yield* views.list({ workspaceId, limit: listMax })).items.map(({ name }) => name)),
            commands: new Set(
              (yield* commands.list({ workspaceId, limit: listMax })).items.map(({ triggerSlug }) => triggerSlug)
            )
          }
        })

      return {
        of: Effect.fnUntraced(function* ({ driftedOnly, workspaceId }) {
          if (workspaceId !== undefined) yield* requestedSpace(workspaceId)
          const { workspaces: all } = yield* workspaces.list
          const requestedWorkspaces = all.filter(({ id }) => workspaceId === undefined || id === workspaceId)
          const examined = requestedWorkspaces.slice(0, workspacesMax)
          const found = yield* Effect.forEach(examined, ({ id, name }) =>
            Effect.map(presentIn(id), (present) =>
              templates.flatMap((template) => {
                const health = healthOf(template, present)
                return health === undefined || (driftedOnly && !health.drifted)
                  ? []
                  : [{ workspaceId: id, workspaceName: name, ...health }]
              })
            )
          )
          return { workspaces: found.flat(), leftOut: requestedWorkspaces.length - examined.length }
        })
      }
    })
  )
}

/**
 * The handlers of templates. They convert the requests of the endpoints to calls of the services, and the results to
 * answers.
 */
import { Effect, Layer } from "effect"
import { Catalog } from "../../doors/Catalog.ts"
import { implement, implementTools } from "../../doors/Implement.ts"
import { AdoptionApi } from "./AdoptionApi.ts"
import { Adoptions } from "./Adoptions.ts"
import { PodFacts } from "./PodFacts.ts"
import { TemplateHealths } from "./TemplateHealths.ts"
import { TemplateTools } from "./TemplateTools.ts"
import { templates } from "./Templates.ts"

const rest = implement(
  AdoptionApi,
  Effect.gen(function* () {
    const { adopt } = yield* Adoptions
    const catalog = yield* Catalog
    const { isProduction, rateLimitPerMinute, version } = yield* PodFacts
    return {
      "pod.config": () =>
        Effect.map(catalog.compiled, ({ procedures, rest, tools }) => ({
          name: "Pod",
          version,
          surfaces: { rest: rest.length, procedures: procedures.size, tools: tools.size },
          limits: { requestsPerMinute: rateLimitPerMinute },
          options: { mode: isProduction ? "production" : "development" },
          templates: templates.map(({ commands, description, name, profiles, slug, views }) => ({
            slug,
            name,
            description,
            profiles: profiles.map((profile) => profile.slug),
            views: views.map((view) => view.name),
            commands: commands.map(({ triggerSlug }) => triggerSlug)
          }))
        })),
      "pod.adopt": ({ payload }) => adopt(payload)
    }
  })
)

const tools = implementTools(
  TemplateTools,
  Effect.map(TemplateHealths, (healths) => ({ svc_template_health: healths.of }))
)

export const layer = Layer.merge(rest, tools)

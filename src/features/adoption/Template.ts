/** A template for a workspace. It contains kinds of entity with their properties, views, and commands. */
import type { PropertyType } from "../profiles/PropertyValue.ts"
import type { View } from "../views/View.ts"

export interface TemplateProperty {
  readonly slug: string
  readonly displayName: string
  readonly valueType: PropertyType
  readonly constraints?: Readonly<Record<string, unknown>>
}

export interface TemplateProfile {
  /**
   * The slug of the profile. If the workspace already has this profile, or the profile is built in, the pod keeps the
   * profile and adds its missing properties.
   */
  readonly slug: string
  readonly displayName: string
  readonly description: string
  readonly icon: string | null
  readonly properties: ReadonlyArray<TemplateProperty>
}

export interface TemplateView {
  readonly name: string
  readonly type: View["type"]
  /** The slug of the profile whose entities the view shows. */
  readonly profileSlug: string
  readonly config: Readonly<Record<string, unknown>>
}

export interface TemplateCommand {
  readonly name: string
  readonly description: string
  readonly triggerSlug: string
}

export interface Template {
  readonly slug: string
  /** The version number of the template. It grows with each change of the template's parts. */
  readonly version: number
  readonly name: string
  readonly description: string
  readonly profiles: ReadonlyArray<TemplateProfile>
  readonly views: ReadonlyArray<TemplateView>
  readonly commands: ReadonlyArray<TemplateCommand>
}

const property =
  (valueType: PropertyType) =>
  (slug: string, displayName: string, constraints?: Readonly<Record<string, unknown>>): TemplateProperty => ({
    slug,
    displayName,
    valueType,
    ...(constraints === undefined ? {} : { constraints })
  })

export const text = property("text")
export const number = property("number")
export const date = property("date")
export const email = property("email")
export const url = property("url")

export const choice = (slug: string, displayName: string, options: ReadonlyArray<string>): TemplateProperty =>
  property("select")(slug, displayName, { options })

/** Makes a property that contains the id of another entity. */
export const entityProperty = (slug: string, displayName: string, targetProfileSlug: string): TemplateProperty =>
  property("entity_id")(slug, displayName, { targetProfileSlug })

export const board = (name: string, profileSlug: string, groupBy: string): TemplateView => ({
  name,
  type: "kanban",
  profileSlug,
  config: { groupBy }
})

export const table = (name: string, profileSlug: string, columns: ReadonlyArray<string>): TemplateView => ({
  name,
  type: "table",
  profileSlug,
  config: { columns }
})

export const calendar = (name: string, profileSlug: string, dateProperty: string): TemplateView => ({
  name,
  type: "calendar",
  profileSlug,
  config: { dateProperty }
})

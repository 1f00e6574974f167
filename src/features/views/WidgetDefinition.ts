/** The widgets that a page can have. A widget shows records in one of the forms that a view can have. */
import { Schema } from "effect"
import { described } from "../../doors/Fields.ts"
import { ViewType } from "./View.ts"

export const WidgetDefinition = Schema.Struct({
  kind: described("Kind of the widget, as in the widgets of a view.", ViewType),
  name: Schema.String
}).annotations({ identifier: "WidgetDefinition" })

const widgetOfKind = (kind: string) => {
  const words = kind.replaceAll("_", " ")
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

export const widgetDefinitions: ReadonlyArray<typeof WidgetDefinition.Type> = ViewType.literals.map((kind) => ({
  kind,
  name: widgetOfKind(kind)
}))

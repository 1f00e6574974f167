/** The short texts of channels and threads: titles and labels. */
import { Schema } from "effect"

export const Title = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))

/** A word that the client chooses, such as a type or a status. */
export const Label = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(64))

export const ContextObjectType = Label.annotations({
  identifier: "ContextObjectType",
  description: "Type of the object in `contextObjectId`."
})

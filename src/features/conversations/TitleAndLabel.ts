/** The short texts that channels and threads are described with. */
import { Schema } from "effect"

export const Title = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))

/** One word of a client's own, such as a type or a status. */
export const Label = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(64))

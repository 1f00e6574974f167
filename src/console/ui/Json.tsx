/** A value as JSON, in a box that scrolls and can be copied. */
import { Copyable } from "./Copyable.tsx"

export const Json = ({ value, name }: { readonly value: unknown; readonly name: string }) => (
  <Copyable text={JSON.stringify(value, undefined, 2)} name={name} />
)

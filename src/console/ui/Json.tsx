/** Shows a value as JSON in a box that scrolls, with a button that copies it. */
import { Copyable } from "./Copyable.tsx"

export const Json = ({ value, name }: { readonly value: unknown; readonly name: string }) => (
  <Copyable text={JSON.stringify(value, undefined, 2)} name={name} />
)

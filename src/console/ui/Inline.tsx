/** Shows a sentence that the pod wrote, such as the reason of a refusal. Shows the parts between backticks as code. */
export const Inline = ({ text }: { readonly text: string }) =>
  text.split("`").map((part, index) =>
    // The parts have no names, and their order never changes.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <code key={index}>{part}</code> : part
  )

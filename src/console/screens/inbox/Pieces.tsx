/** A text with what was removed and added in it, for eyes and for screen readers. */
import type { Piece } from "./textDiff.ts"

export const Pieces = ({ pieces }: { readonly pieces: ReadonlyArray<Piece> }) =>
  pieces.map(({ kind, text }, at) => {
    const key = `${at}${kind}`
    if (kind === "same") return <span key={key}>{text}</span>
    return kind === "removed" ? (
      <del key={key} className="bg-bad-soft text-bad">
        {text}
      </del>
    ) : (
      <ins key={key} className="bg-good-soft text-good">
        {text}
      </ins>
    )
  })

/** A text with marks on removed and added pieces. The marks have a colour, and words for screen readers. */
import { visibleText } from "../../../shared/visibleText.ts"
import type { Piece } from "./textDiff.ts"

export const Pieces = ({ pieces }: { readonly pieces: ReadonlyArray<Piece> }) =>
  pieces.map(({ kind, text: written }, at) => {
    const key = `${at}${kind}`
    const text = visibleText(written)
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

/**
 * Shows a Markdown text with its format. The text loads nothing: an image stays text, and a link opens only after a
 * click.
 */
import { type Block, blocksOf, type Inline, inlinesOf } from "./markdownBlocks.ts"

const Piece = ({ piece }: { readonly piece: Inline }) => {
  switch (piece.kind) {
    case "text":
      return piece.text
    case "code":
      return <code className="bg-page rounded px-1">{piece.text}</code>
    case "strong":
      return <strong>{piece.text}</strong>
    case "emphasis":
      return <em>{piece.text}</em>
    case "link":
      return (
        <a href={piece.href} rel="noreferrer noopener" target="_blank">
          {piece.text}
        </a>
      )
  }
}

const Inlines = ({ text }: { readonly text: string }) =>
  inlinesOf(text).map((piece, at) => <Piece key={at} piece={piece} />)

const One = ({ block }: { readonly block: Block }) => {
  switch (block.kind) {
    case "heading":
      // A Markdown heading is a paragraph for screen readers, because the page already has its own headings.
      return (
        <p className={`font-semibold ${block.level < 3 ? "text-base" : ""}`}>
          <Inlines text={block.text} />
        </p>
      )
    case "paragraph":
      return (
        <p className="whitespace-pre-line">
          <Inlines text={block.text} />
        </p>
      )
    case "quote":
      return (
        <blockquote className="border-line text-muted border-l-4 pl-3 whitespace-pre-line">
          <Inlines text={block.text} />
        </blockquote>
      )
    case "code":
      return (
        <pre className="bg-page overflow-x-auto rounded-md p-2 text-xs" tabIndex={0}>
          {block.text}
        </pre>
      )
    case "rule":
      return <hr className="border-line" />
    case "list": {
      const items = block.items.map((item, at) => (
        <li key={at}>
          <Inlines text={item} />
        </li>
      ))
      return block.isOrdered ? (
        <ol className="list-decimal pl-6">{items}</ol>
      ) : (
        <ul className="list-disc pl-6">{items}</ul>
      )
    }
  }
}

export const Markdown = ({ text }: { readonly text: string }) => (
  <div className="grid min-w-0 gap-2 wrap-break-word">
    {blocksOf(text).map((block, at) => (
      <One key={at} block={block} />
    ))}
  </div>
)

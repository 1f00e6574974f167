/**
 * Writes a brand as text: JSON, CSS custom properties, or Markdown for writers. The same brand always gives the same
 * text.
 */
import { createHash } from "node:crypto"
import type { Brand, KitFormat } from "./Brand.ts"
import type { BrandTokens } from "./Tokens.ts"

type KitSource = Pick<Brand, "name" | "tokens">

/** Sorts the tokens by name, so that the order of the input does not change the text. */
const inOrder = <A>(tokens: Readonly<Record<string, A>>): ReadonlyArray<readonly [string, A]> =>
  Object.entries(tokens).toSorted(([one], [other]) => (one < other ? -1 : 1))

const fontText = ({ fallback, family }: BrandTokens["fonts"][string]) => `"${family}", ${fallback}`

const json = ({ name, tokens: { colors, fonts, logo, sizes, voice } }: KitSource): string => {
  const content = {
    name,
    colors: Object.fromEntries(inOrder(colors)),
    fonts: Object.fromEntries(
      inOrder(fonts).map(([font, { fallback, family, weight }]) => [
        font,
        { family, fallback, ...(weight === undefined ? {} : { weight }) }
      ])
    ),
    sizes: Object.fromEntries(inOrder(sizes)),
    logo: logo === null ? null : { url: logo.url, alt: logo.alt },
    voice: voice === null ? null : { summary: voice.summary, tone: voice.tone, does: voice.does, avoids: voice.avoids }
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

/**
 * Writes the brand in CSS. Leaves out free texts, because only values that match the grammar of a brand token are safe
 * in CSS.
 */
const css = ({ tokens: { colors, fonts, logo, sizes } }: KitSource): string => {
  const properties = [
    ...inOrder(colors).map(([name, color]) => `--brand-color-${name}: ${color};`),
    ...inOrder(fonts).flatMap(([name, font]) => [
      `--brand-font-${name}: ${fontText(font)};`,
      ...(font.weight === undefined ? [] : [`--brand-font-${name}-weight: ${font.weight};`])
    ]),
    ...inOrder(sizes).map(([name, size]) => `--brand-size-${name}: ${size};`),
    ...(logo === null ? [] : [`--brand-logo: url("${logo.url}");`])
  ]
  return `:root {\n${properties.map((property) => `  ${property}\n`).join("")}}\n`
}

/** Escapes a free text of one line, so that it cannot start a heading, list, link, code or tag. */
const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|]|^[-+]/g, "\\$&")

const section = (title: string, lines: ReadonlyArray<string>): string =>
  lines.length === 0 ? "" : `\n## ${title}\n\n${lines.map((line) => `- ${line}\n`).join("")}`

const markdown = ({ name, tokens: { colors, fonts, logo, sizes, voice } }: KitSource): string =>
  [
    `# ${escapeMarkdown(name)}\n`,
    section(
      "Colors",
      inOrder(colors).map(([token, color]) => `\`${token}\`: \`${color}\``)
    ),
    section(
      "Fonts",
      inOrder(fonts).map(
        ([token, font]) => `\`${token}\`: \`${fontText(font)}\`${font.weight === undefined ? "" : `, ${font.weight}`}`
      )
    ),
    section(
      "Sizes",
      inOrder(sizes).map(([token, size]) => `\`${token}\`: \`${size}\``)
    ),
    section("Logo", logo === null ? [] : [`\`${logo.url}\`${logo.alt === "" ? "" : `: ${escapeMarkdown(logo.alt)}`}`]),
    ...(voice === null
      ? []
      : [
          section("Voice", voice.summary === "" ? [] : [escapeMarkdown(voice.summary)]),
          section("Tone", voice.tone.map(escapeMarkdown)),
          section("It says", voice.does.map(escapeMarkdown)),
          section("It avoids", voice.avoids.map(escapeMarkdown))
        ])
  ].join("")

const writers: Readonly<Record<KitFormat, (brand: KitSource) => string>> = { json, css, "frame-md": markdown }

/** Writes the brand as a text in this format. Also returns the SHA-256 of the text in hexadecimal. */
export const kitContent = (
  brand: KitSource,
  format: KitFormat
): { readonly content: string; readonly hash: string } => {
  const content = writers[format](brand)
  return { content, hash: createHash("sha256").update(content).digest("hex") }
}

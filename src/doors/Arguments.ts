/** What a tool says of each of its arguments. An agent sees nothing else of them before it calls. */
import { Option, Schema, SchemaAST } from "effect"

/** What an argument is for; where `null` says something else than leaving it out, what it does. */
type Words = string | { readonly value: string; readonly null: string }

const words = Symbol.for("pod/Arguments/words")

/**
 * The input of a tool with words for every argument: one that is forgotten does not compile. What lies deeper is named
 * by its path, such as `facets.slug`.
 */
export const explained = <A, I>(
  input: Schema.Schema<A, I>,
  said: { readonly [K in keyof I & string]-?: Words } & {
    readonly [K in `${keyof I & string}.${string}`]?: Words
  }
): Schema.Schema<A, I> => input.annotations({ [words]: said })

/** What is said of the arguments of a tool, by their paths. */
export const explanationsOf = ({ ast }: Schema.Schema.Any): Readonly<Record<string, Words>> =>
  Option.getOrElse(SchemaAST.getAnnotation<Readonly<Record<string, Words>>>(ast, words), () => ({}))

/** What stands for an argument that is left out, by its name. */
export const defaultsOf = ({ ast }: Schema.Schema.Any): Readonly<Record<string, unknown>> => {
  const { transformation } = SchemaAST.isTransformation(ast) ? ast : { transformation: undefined }
  if (transformation?._tag !== "TypeLiteralTransformation") return {}
  return Object.fromEntries(
    transformation.propertySignatureTransformations.flatMap(({ decode, from }) => {
      const absent = decode(Option.none())
      return Option.isSome(absent) ? [[String(from), absent.value]] : []
    })
  )
}

/**
 * The descriptions of the arguments of tools. Apart from the names and types of the arguments, an agent knows only
 * these descriptions before it calls a tool.
 */
import { Option, Schema, SchemaAST } from "effect"

/**
 * The description of an argument. For some arguments, null does not mean that the argument is absent. The field `null`
 * then says what null means.
 */
type Words = string | { readonly value: string; readonly null: string }

const words = Symbol.for("pod/Arguments/words")

/**
 * Adds a description of every argument to the input schema of a tool. If a description is missing, the code does not
 * compile. A nested argument is named by its path, such as `facets.slug`.
 */
export const describeArguments = <A, I>(
  input: Schema.Schema<A, I>,
  descriptions: { readonly [K in keyof I & string]-?: Words } & {
    readonly [K in `${keyof I & string}.${string}`]?: Words
  }
): Schema.Schema<A, I> => input.annotations({ [words]: descriptions })

/** Returns the descriptions of the arguments of a tool, by path. */
export const argumentDescriptionsOf = ({ ast }: Schema.Schema.Any): Readonly<Record<string, Words>> =>
  Option.getOrElse(SchemaAST.getAnnotation<Readonly<Record<string, Words>>>(ast, words), () => ({}))

/** Returns the defaults of the arguments, by the name of the argument. Arguments without a default are left out. */
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

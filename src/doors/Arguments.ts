/**
 * The descriptions of the arguments of tools. Before an agent calls a tool, it knows nothing else about the arguments.
 */
import { Option, Schema, SchemaAST } from "effect"

/** The meaning of an argument. `null`: the meaning of the value null, if it differs from an absent argument. */
type Words = string | { readonly value: string; readonly null: string }

const words = Symbol.for("pod/Arguments/words")

/**
 * The input of a tool with a description of every argument; code with a missing description does not compile. The
 * description of a nested argument has its path as name, such as `facets.slug`.
 */
export const describeArguments = <A, I>(
  input: Schema.Schema<A, I>,
  descriptions: { readonly [K in keyof I & string]-?: Words } & {
    readonly [K in `${keyof I & string}.${string}`]?: Words
  }
): Schema.Schema<A, I> => input.annotations({ [words]: descriptions })

/** The descriptions of the arguments of a tool, by path. */
export const argumentDescriptionsOf = ({ ast }: Schema.Schema.Any): Readonly<Record<string, Words>> =>
  Option.getOrElse(SchemaAST.getAnnotation<Readonly<Record<string, Words>>>(ast, words), () => ({}))

/** The default of each argument that has one, by name. */
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

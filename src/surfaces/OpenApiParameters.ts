/**
 * Makes the parameters of the API description. A parameter that several operations accept is written once, as a
 * component.
 */

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: object
  /** True if the parameter is required. Absent if it is optional. */
  readonly required?: boolean
  readonly description?: string
}

export interface Reference {
  readonly $ref: string
}

/**
 * Returns a description for a parameter that has none. A parameter in a path identifies a record, and a parameter in a
 * query filters items.
 */
const plainMeaning = ({ in: place, name }: Parameter): string | undefined =>
  place === "path" ? "Id of the record." : place === "query" ? `Only items with this \`${name}\`.` : undefined

/**
 * Gives the parameter itself a description. The description comes from the parameter, from the schema of the parameter,
 * or from the schema that a reference names.
 */
export const withDescription =
  (schemas: Readonly<Record<string, object>>) =>
  ({ required, ...parameter }: Parameter): Parameter => {
    // Every schema of an API description may have these two fields.
    const whole: { readonly description?: string; readonly $ref?: string } = parameter.schema
    const { description, ...schema } = whole
    const named: { readonly description?: string } | undefined = schemas[schema.$ref?.split("/").at(-1) ?? ""]
    const meaning = parameter.description ?? description ?? named?.description ?? plainMeaning(parameter)
    // The fields are always in the same order, because equal parameters become one component only if their texts are equal.
    return {
      ...parameter,
      ...(meaning === undefined ? {} : { schema, description: meaning }),
      ...(required === true ? { required } : {})
    }
  }

interface Takes {
  readonly parameters: ReadonlyArray<Parameter | Reference>
}
type Paths<O> = Readonly<Record<string, Readonly<Record<string, O>>>>

const isWhole = (parameter: Parameter | Reference): parameter is Parameter => "name" in parameter

/**
 * Finds a name that no other component has. The first choice is the name of the parameter, such as `id`. The second
 * choice also has the place of the parameter, such as `id-query`. If both are taken, a number is added.
 */
const freeName = ({ in: place, name }: Parameter, usedNames: ReadonlySet<string>): string => {
  const names = [name, `${name}-${place}`]
  for (let count = 2; ; count += 1) {
    const found = names.find((each) => !usedNames.has(each))
    if (found !== undefined) return found
    names.push(`${name}-${place}-${count}`)
  }
}

/**
 * Finds the parameters that more than one operation accepts, and replaces them by references. Returns the changed
 * operations, and the shared parameters by name.
 */
export const shareParameters = <O extends Takes>(
  paths: Paths<O>
): { readonly paths: Paths<O>; readonly parameters: Readonly<Record<string, Parameter>> } => {
  const uses = new Map<string, { readonly parameter: Parameter; count: number; name?: string }>()
  for (const { parameters } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const parameter of parameters.filter(isWhole)) {
      const text = JSON.stringify(parameter)
      const use = uses.get(text) ?? { parameter, count: 0 }
      use.count += 1
      uses.set(text, use)
    }
  }
  const shared: Record<string, Parameter> = {}
  const usedNames = new Set<string>()
  for (const use of [...uses.values()].filter(({ count }) => count > 1).sort((a, b) => b.count - a.count)) {
    use.name = freeName(use.parameter, usedNames)
    usedNames.add(use.name)
    shared[use.name] = use.parameter
  }
  const referring = (parameter: Parameter | Reference): Parameter | Reference => {
    const name = uses.get(JSON.stringify(parameter))?.name
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
  }
  return {
    parameters: Object.fromEntries(Object.entries(shared).sort(([a], [b]) => a.localeCompare(b, "en"))),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method,
            { ...operation, parameters: operation.parameters.map(referring) }
          ])
        )
      ])
    )
  }
}

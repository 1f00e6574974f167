/**
 * Finds the fields of an input that the declaration of the operation does not have. If the pod silently dropped such a
 * field, the answer would be wrong. For example, a listing with a misspelt filter would list everything.
 */
import { Predicate, SchemaAST } from "effect"
import type { Fault } from "./Failure.ts"
import { nearName } from "../shared/nearName.ts"
import { shortenText } from "../platform/StoredText.ts"

type Path = ReadonlyArray<string>

/**
 * Finds the paths of the unknown fields in a value. Undefined means that the value does not have the type of the
 * schema.
 */
type Finder = (value: unknown, at: Path) => ReadonlyArray<Path> | undefined

export interface FieldFinder {
  /** The names of the top-level fields. */
  readonly names: ReadonlySet<string>
  readonly unknownIn: (input: unknown) => ReadonlyArray<Path>
  /** Describes an unknown field of this input. */
  readonly faultOf: (unknown: Path, input: unknown) => Fault
}

const noPaths: ReadonlyArray<Path> = []
const acceptAll: Finder = () => noPaths

const struct = (fields: ReadonlyMap<string, Finder | undefined>, others: Finder | undefined): Finder => {
  return (value, at) => {
    if (!Predicate.isRecord(value)) return undefined
    const found: Array<Path> = []
    for (const [name, inner] of Object.entries(value)) {
      const isDeclared = fields.has(name)
      if (!isDeclared && others === undefined) found.push([...at, name])
      else {
        const find = isDeclared ? fields.get(name) : others
        // A free-form object allows any name, and can have very many names. So the pod does not search the content of
        // such an object.
        if (find !== undefined && find !== acceptAll) found.push(...(find(inner, [...at, name]) ?? noPaths))
      }
    }
    return found
  }
}

const list =
  (itemAt: (index: number) => Finder | undefined): Finder =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => itemAt(index)?.(item, [...at, String(index)]) ?? noPaths)
      : undefined

/**
 * Finds the unknown fields of a value whose schema is a union. A value belongs to one member and never mixes the fields
 * of several members. So the function returns the result of the member with the fewest unknown fields.
 */
const union =
  (members: ReadonlyArray<Finder>): Finder =>
  (value, at) => {
    let best: ReadonlyArray<Path> | undefined
    for (const member of members) {
      const found = member(value, at)
      if (found !== undefined && (best === undefined || found.length < best.length)) best = found
    }
    return best
  }

/** Returns the names of the fields of an object, as a list in a list. Undefined for any other schema. */
const namesOf = (ast: SchemaAST.AST): ReadonlyArray<ReadonlyArray<string>> | undefined =>
  ast._tag === "TypeLiteral"
    ? [ast.propertySignatures.flatMap(({ name }) => (typeof name === "string" ? [name] : []))]
    : ast._tag === "Refinement" || ast._tag === "Transformation"
      ? namesOf(ast.from)
      : undefined

/**
 * Makes a finder (a function that finds unknown fields) for each part of a schema, and collects the names of all
 * fields. The code visits a recursive schema only once.
 */
class FieldCollector {
  readonly #finders = new Map<SchemaAST.AST, Finder | undefined>()
  /** Every known name with its path, such as `["grant", "workspaceIds"]`. */
  readonly known: Array<Path> = []
  /** The names of the fields of each form, where an input is a union of several forms. The key is the path as text. */
  readonly forms = new Map<string, ReadonlyArray<ReadonlyArray<string>>>()

  of(ast: SchemaAST.AST, at: Path): Finder | undefined {
    switch (ast._tag) {
      case "TypeLiteral": {
        const fields = new Map<string, Finder | undefined>()
        for (const { name, type } of ast.propertySignatures) {
          if (typeof name !== "string") continue
          this.known.push([...at, name])
          fields.set(name, this.of(type, [...at, name]))
        }
        const [index] = ast.indexSignatures
        return struct(fields, index === undefined ? undefined : (this.of(index.type, at) ?? acceptAll))
      }
      case "TupleType": {
        const elements = ast.elements.map(({ type }) => this.of(type, at))
        const rest = ast.rest[0] === undefined ? undefined : this.of(ast.rest[0].type, at)
        return list((index) => (index < elements.length ? elements[index] : rest))
      }
      case "Union": {
        const forms = ast.types.flatMap((type) => namesOf(type) ?? [])
        if (forms.length > 1) this.forms.set(levelOf(at), forms)
        const members = ast.types.flatMap((type) => this.of(type, at) ?? [])
        return members.length === 0 ? undefined : union(members)
      }
      case "Refinement":
      case "Transformation":
        return this.of(ast.from, at)
      case "Suspend": {
        const inner = ast.f()
        if (!this.#finders.has(inner)) {
          this.#finders.set(inner, undefined)
          this.#finders.set(inner, this.of(inner, at))
        }
        return (value, where) => this.#finders.get(inner)?.(value, where)
      }
      case "UnknownKeyword":
      case "AnyKeyword":
      case "ObjectKeyword":
      case "Declaration":
        return acceptAll
      default:
        return undefined
    }
  }
}

// the maximum number of known field names in one message
const shownMax = 24
// the maximum number of characters of a field name in a message; the pod shortens a longer name
const nameMax = 100

const short = (path: Path) => path.map((name) => shortenText(name, nameMax))

/** Returns the path without list indexes, because every item of a list has the same names. */
const levelOf = (path: Path) => path.filter((name) => !/^\d+$/.test(name)).join(".")

const lastOf = (path: Path) => path[path.length - 1]

const listed = (names: ReadonlyArray<string>) =>
  `${names.slice(0, shownMax).join(", ")}${names.length > shownMax ? " and more" : ""}`

const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : {}),
    input
  )

/** Returns the form to which most of the sent fields belong, and the first one if several forms fit equally well. */
const formOf = (forms: ReadonlyArray<ReadonlyArray<string>>, sent: unknown): ReadonlyArray<string> => {
  const names = Predicate.isRecord(sent) ? Object.keys(sent) : []
  const fitting = (form: ReadonlyArray<string>) => names.filter((name) => form.includes(name)).length
  return forms.reduce((best, form) => (fitting(form) > fitting(best) ? form : best))
}

const mixedForms = (
  form: ReadonlyArray<string>,
  others: ReadonlyArray<ReadonlyArray<string>>,
  sent: unknown
): string => {
  const own = form.filter((name) => !others.some((other) => other.includes(name)))
  const mark = own.find((name) => Predicate.isRecord(sent) && Object.hasOwn(sent, name)) ?? own[0] ?? form[0] ?? ""
  return `This field belongs to another form of this input, and two forms cannot be mixed. The form with \`${mark}\` has the fields ${listed(form)}.`
}

const message = (unknown: Path, { forms, known }: Pick<FieldCollector, "forms" | "known">, input: unknown): string => {
  const level = levelOf(unknown.slice(0, -1))
  const name = lastOf(unknown)
  const sent = valueAt(input, unknown.slice(0, -1))
  const formsHere = forms.get(level)
  const form = formsHere === undefined ? undefined : formOf(formsHere, sent)
  if (form !== undefined && formsHere?.some((other) => other.includes(name)) === true && !form.includes(name)) {
    return mixedForms(
      form,
      formsHere.filter((other) => other !== form),
      sent
    )
  }
  const isHere = (path: Path) => path.slice(0, -1).join(".") === level
  const here = known.filter((path) => isHere(path) && (form === undefined || form.includes(lastOf(path))))
  const elsewhere = known.filter((path) => !isHere(path))
  // If the input is a union, another member of the union might have this name at another place. Then the message
  // suggests that place.
  const others = [...here, ...elsewhere].filter((path) => lastOf(path) !== name || !here.includes(path))
  const nearPath = nearName(name, others, lastOf)
  if (nearPath?.length === 1 && nearPath[0] === name) {
    const nearHere = nearName(
      name,
      here.filter((path) => lastOf(path) !== name),
      lastOf
    )
    return `There is no such field here. ${nearHere === undefined ? "" : `Did you mean ${lastOf(nearHere)}? `}The field ${name} belongs to the top level of the input.`
  }
  if (nearPath !== undefined) {
    return `There is no such field here. Did you mean ${(here.includes(nearPath) ? nearPath.slice(-1) : nearPath).join(".")}?`
  }
  const names = [...new Set(form ?? here.map(lastOf))].filter((each) => each !== name)
  return names.length === 0
    ? "This field is unknown. The operation accepts no fields here. Leave the field out."
    : `There is no such field here. Known fields: ${listed(names)}.`
}

/**
 * Makes the functions that find the unknown fields of an input and describe them. `otherNames`: top-level names that
 * are allowed although the schema does not have them.
 */
export const fieldFinder = (ast: SchemaAST.AST | undefined, otherNames: ReadonlyArray<string> = []): FieldFinder => {
  const walk = new FieldCollector()
  const find = ast === undefined ? struct(new Map(), undefined) : (walk.of(ast, []) ?? acceptAll)
  return {
    names: new Set(walk.known.flatMap(([name, ...within]) => (within.length === 0 ? [name] : []))),
    unknownIn: (input) =>
      (find(input, []) ?? noPaths).filter(([name, ...within]) => within.length > 0 || !otherNames.includes(name)),
    faultOf: (unknown, input) => ({ path: short(unknown).join("."), message: message(unknown, walk, input) })
  }
}

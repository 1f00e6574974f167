/** Reads the sources of the pod as syntax trees. References that are made from the code use these trees. */
import { readdirSync, readFileSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"
import { root } from "./install.mjs"

/** Returns the files below a folder of src/. Each has its text and its syntax tree. */
export const sourcesIn = (folder) =>
  readdirSync(`${root}src/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => sourceOf(`${folder}/${name}`))

export const sourceOf = (name) => {
  const text = readFileSync(`${root}src/${name}`, "utf8")
  return { name, text, tree: parseAst(text, { lang: "ts" }) }
}

/** Calls `visit` for every node of the tree. Visits an outer node before the nodes inside it. */
export const eachNode = (node, visit) => {
  if (node === null || typeof node !== "object") return
  if (Array.isArray(node)) return node.forEach((one) => eachNode(one, visit))
  if (typeof node.type === "string") visit(node)
  for (const part of Object.values(node)) eachNode(part, visit)
}

/**
 * Returns the initial values of the constants in a file, by name. If several constants have the same name, the first
 * value is used.
 */
export const constantsOf = ({ tree }) => {
  const found = new Map()
  eachNode(tree.body, (node) => {
    if (node.type !== "VariableDeclarator" || node.init === null || node.id.type !== "Identifier") return
    if (!found.has(node.id.name)) found.set(node.id.name, node.init)
  })
  return found
}

const operations = {
  "*": (one, other) => one * other,
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "**": (one, other) => one ** other
}

/** Returns the value of an expression of number literals and operators, or undefined for any other expression. */
export const numberIn = (node) => {
  if (node.type === "Literal" && typeof node.value === "number") return node.value
  if (node.type === "ParenthesizedExpression") return numberIn(node.expression)
  if (node.type !== "BinaryExpression" || !Object.hasOwn(operations, node.operator)) return undefined
  const [one, other] = [numberIn(node.left), numberIn(node.right)]
  return one === undefined || other === undefined ? undefined : operations[node.operator](one, other)
}

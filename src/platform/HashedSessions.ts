/** Stores only hashes of session tokens in the database, by wrapping the adapter of better-auth. */
import type { DBAdapter, DBTransactionAdapter, Where } from "better-auth/adapters"
import { createHash } from "node:crypto"

// Some calls of better-auth use the default name of the session model. Other calls use the name of its table.
const sessionModels = new Set(["session", "auth_sessions"])

/**
 * Returns the SHA-256 hash of a token in hex. The token has 190 random bits, so a salt or a slow hash would add no
 * protection.
 */
const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex")

/**
 * Replaces the session tokens of one operation of the adapter by their hashes, because the database stores only hashes.
 * The library better-auth compares the token of each row that it gets with the token that it has. So if a row has the
 * hash of a token that the library passed to this operation, the row gets this token back. Every other row keeps its
 * hash, with which nobody can sign in.
 */
const tokensOf = (model: string) => {
  const isSession = sessionModels.has(model)
  const known = new Map<string, string>()
  const hide = (token: unknown): string => {
    // This code refuses a value that is not a single string, because it cannot replace such a value by a hash.
    if (typeof token !== "string") throw new Error("A session token is looked up and stored as one string.")
    const hash = hashToken(token)
    known.set(hash, token)
    return hash
  }
  const hideCondition = (condition: Where): Where => {
    if (condition.field !== "token") return condition
    if (condition.mode === "insensitive") throw new Error("A session token is compared exactly.")
    switch (condition.operator ?? "eq") {
      case "eq":
        return { ...condition, value: hide(condition.value) }
      case "in":
        return {
          ...condition,
          value: Array.isArray(condition.value) ? condition.value.map(hide) : hide(condition.value)
        }
      default:
        throw new Error("A session token can only be looked up by equality.")
    }
  }
  return {
    hideIn: <Row extends object>(row: Row): Row =>
      isSession && "token" in row ? { ...row, token: hide(row.token) } : row,
    hideWhere: (where: Array<Where>): Array<Where> => (isSession ? where.map(hideCondition) : where),
    restore: <Row>(row: Row): Row => {
      if (!isSession || typeof row !== "object" || row === null || !("token" in row)) return row
      const token = typeof row.token === "string" ? known.get(row.token) : undefined
      return token === undefined ? row : { ...row, token }
    }
  }
}

type Query = { readonly model: string; readonly where: Array<Where> }

const hashedOperations = (adapter: DBTransactionAdapter): DBTransactionAdapter => {
  const hideQuery = <Q extends Query>(query: Q): Q => ({
    ...query,
    where: tokensOf(query.model).hideWhere(query.where)
  })
  return {
    ...adapter,
    create: async (query) => {
      const tokens = tokensOf(query.model)
      return tokens.restore(await adapter.create({ ...query, data: tokens.hideIn(query.data) }))
    },
    findOne: async <Row>(query: Parameters<typeof adapter.findOne>[0]) => {
      const tokens = tokensOf(query.model)
      return tokens.restore(await adapter.findOne<Row>({ ...query, where: tokens.hideWhere(query.where) }))
    },
    findMany: async <Row>(query: Parameters<typeof adapter.findMany>[0]) => {
      const tokens = tokensOf(query.model)
      const rows = await adapter.findMany<Row>({ ...query, where: query.where && tokens.hideWhere(query.where) })
      return rows.map((row) => tokens.restore(row))
    },
    count: async (query) =>
      adapter.count({ ...query, where: query.where && tokensOf(query.model).hideWhere(query.where) }),
    update: async <Row>(query: Parameters<typeof adapter.update>[0]) => {
      const tokens = tokensOf(query.model)
      const hidden = { ...query, where: tokens.hideWhere(query.where), update: tokens.hideIn(query.update) }
      return tokens.restore(await adapter.update<Row>(hidden))
    },
    updateMany: async (query) =>
      adapter.updateMany({ ...hideQuery(query), update: tokensOf(query.model).hideIn(query.update) }),
    delete: async (query) => adapter.delete(hideQuery(query)),
    deleteMany: async (query) => adapter.deleteMany(hideQuery(query)),
    consumeOne: async <Row>(query: Parameters<typeof adapter.consumeOne>[0]) => {
      const tokens = tokensOf(query.model)
      return tokens.restore(await adapter.consumeOne<Row>({ ...query, where: tokens.hideWhere(query.where) }))
    },
    incrementOne: async <Row>(query: Parameters<typeof adapter.incrementOne>[0]) => {
      const tokens = tokensOf(query.model)
      const hidden = { ...query, where: tokens.hideWhere(query.where), set: query.set && tokens.hideIn(query.set) }
      return tokens.restore(await adapter.incrementOne<Row>(hidden))
    }
  }
}

export const hashedSessions = (adapter: DBAdapter): DBAdapter => ({
  ...hashedOperations(adapter),
  // Inside a transaction better-auth uses another adapter, so the pod wraps that adapter too.
  transaction: (callback) => adapter.transaction((inside) => callback(hashedOperations(inside)))
})

/**
 * Starts Parse Server, a product with which a benchmark compares the pod, on a PostgreSQL database. Install the package
 * in the folder PARSE_FOLDER. Only signed-in users may use the records, and each record belongs to its creator.
 */
const { createRequire } = require("node:module")
const path = require("node:path")

const { PARSE_DATABASE_URL: databaseURI, PARSE_FOLDER: folder } = process.env
const installed = createRequire(path.join(folder, "package.json"))
const { ParseServer } = installed("parse-server")
const express = installed("express")

const signedIn = { requiresAuthentication: true }
const record = {
  className: "Record",
  fields: {
    title: { type: "String" },
    description: { type: "String" },
    profileSlug: { type: "String" },
    properties: { type: "Object" }
  },
  classLevelPermissions: { find: signedIn, get: signedIn, create: signedIn, update: signedIn, delete: signedIn }
}

const main = async () => {
  const app = express()
  const listener = app.listen(0, "127.0.0.1")
  await new Promise((resolve) => listener.once("listening", resolve))
  const { port } = listener.address()
  const parse = new ParseServer({
    databaseURI,
    appId: "bench",
    masterKey: "bench",
    serverURL: `http://127.0.0.1:${port}/parse`,
    allowClientClassCreation: false,
    enableAnonymousUsers: false,
    encodeParseObjectInCloudFunction: true,
    silent: true,
    logsFolder: null,
    schema: { definitions: [record] }
  })
  await parse.start()
  app.use("/parse", parse.app)
  process.stdout.write(`${JSON.stringify({ msg: "ready", port })}\n`)
}

process.on("SIGTERM", () => process.exit(0))
main().catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})

/**
 * `npm run demo`: shows in nine parts (acts) what a new pod does. Fails if a result differs from the expected result.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { build } from "./build.mjs"
import { accessDemo } from "./demoAccess.mjs"
import { agentDemo } from "./demoAgent.mjs"
import { chatDemo } from "./demoChat.mjs"
import { collectionIn, projectDocuments } from "./demoDocuments.mjs"
import { listenersDemo } from "./demoListeners.mjs"
import { memoryDemo } from "./demoMemory.mjs"
import { startModel } from "./demoModel.mjs"
import { callerOf, minterOf, owner, startPod } from "./demoPod.mjs"
import { proposalsDemo } from "./demoProposals.mjs"
import { newReport } from "./demoReport.mjs"
import { scopedSearchDemo, searchDemo } from "./demoSearch.mjs"
import { workflowsDemo } from "./demoWorkflows.mjs"
import { install } from "./install.mjs"

const { values: options } = parseArgs({ options: { collection: { type: "string" }, documents: { type: "string" } } })
const most = options.documents === undefined ? Infinity : Number(options.documents)
const folder = options.collection ?? process.env.POD_BENCH_COLLECTION
const collection = folder === undefined ? undefined : collectionIn(resolve(folder), most)
if (folder !== undefined && collection === undefined) {
  process.stderr.write(
    `There is no test collection in ${folder}. Name a folder with cran.all.1400, cran.qry and cranqrel, or none.\n`
  )
  process.exit(1)
}

install()
await build()
const documents = [...projectDocuments(), ...(collection?.documents ?? [])]
const report = newReport()
const { expect } = report

const signedIn = async (base) => {
  const call = callerOf(base)
  const { body } = await call("POST", "/auth/sign-in", {}, owner)
  const me = { "x-session-token": body.token }
  const workspaceOf = async (workspaceName) =>
    (await call("POST", "/api/hub/workspaces/from-definition", me, { workspaceName })).body.workspaceId
  return { base, call, me, mint: minterOf(call, me), ownerId: body.user.id, report, workspaceOf }
}

const firstStart = async (base) => {
  report.say(
    `\n  A fresh pod on a free port, with the embedded database in a temporary directory that is removed at the end.`
  )
  const caller = await signedIn(base)
  report.chapter(
    "1. Access",
    `${documents.length} documents — the sections of this project's own pages${collection === undefined ? "" : ", and your collection"} — and a key that may read the knowledge of one workspace.`
  )
  const prepared = await accessDemo({ ...caller, documents, expect })
  report.table()
  report.chapter("2. Proposals", "An agent asks to change three of the documents, and its person decides.")
  const story = await proposalsDemo({ ...caller, ...prepared, expect })
  report.table()
  report.say(`\n  What the log tells of it\n${story.join("\n")}`)
  const keys = await searchDemo({ ...caller, collection })
  await memoryDemo(caller)
  await listenersDemo(caller)
  return keys
}

const secondStart = async (base, keys, model) => {
  const scene = { ...(await signedIn(base)), ...keys, model }
  await scopedSearchDemo(scene)
  await agentDemo(scene)
  await chatDemo(scene)
  await workflowsDemo(scene)
}

const dataDir = mkdtempSync(join(tmpdir(), "pod-demo-"))
const withPod = async (settings, work) => {
  const { base, stop } = await startPod(dataDir, settings)
  try {
    return await work(base)
  } finally {
    await stop()
  }
}
const model = await startModel()
try {
  const keys = await withPod({ POD_WEBHOOK_ALLOW: "127.0.0.1" }, firstStart)
  const settings = { ...model.settings, POD_SCOPED_RETRIEVAL: "on" }
  await withPod(settings, (base) => secondStart(base, keys, model))
} finally {
  await model.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(report.end() ? 0 : 1)

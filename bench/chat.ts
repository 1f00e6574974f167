/**
 * Measures how much time the pod adds to a streamed chat answer. It sends each question to the pod, and also directly
 * to the provider that the pod calls.
 */
import { fileURLToPath } from "node:url"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { type Served, serve } from "./child.ts"
import { cpuOf } from "./cpu.ts"
import { benchServer } from "./database.ts"
import { median } from "./measure.ts"
import { profileFlags, profileText } from "./profile.ts"
import { aStand, type Stand } from "./stand.ts"

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    answers: { type: "string", default: "100" },
    pieces: { type: "string", default: "60" },
    rows: { type: "string", default: "5000" },
    profile: { type: "boolean", default: false },
    dist: { type: "string" }
  }
})

const rounds = Number(options.rounds)
const answers = Number(options.answers)
const pieces = Number(options.pieces)
// the compiled benchmark runs from .test-state/bench/bench, three levels below the root of the project
const root = fileURLToPath(new URL("../../../", import.meta.url))
const dist = options.dist === undefined ? `${root}dist` : resolve(options.dist)
const profileFile = `${root}bench/out/profiles/chat.cpuprofile`
// This many rounds run before the measured rounds, so that the JavaScript engine compiles the code first.
const warmUps = 3
const say = (text: string) => process.stdout.write(`${text}\n`)

/** One side of the comparison: the URL to which the question is sent, and the key. */
interface Asked {
  readonly url: string
  readonly key: string
}

/** The milliseconds from the question to the first text, and to the end of the answer. */
interface Took {
  readonly firstMs: number
  readonly endMs: number
}

/** One measured round. The processor times are microseconds for each answer. */
interface Round extends Took {
  readonly podCpu: number
  readonly providerCpu: number
  /** Undefined if the database server does not run on this machine, because its processor time is then unknown. */
  readonly databaseCpu: number | undefined
}

const questionAt = (at: number) => ({
  model: "svc/auto",
  stream: true,
  messages: [{ role: "user", content: `Which words are about record ${at}?` }]
})

// Every chunk with text contains this, both from the pod and from the provider.
const contentMark = '"content":"'
// A chunk that only opens or closes an answer contains this.
const emptyMark = '"content":""'

/**
 * Sends one question, and reads the stream to its end. Fails if the answer is incomplete, so that a refusal never
 * counts as a fast answer.
 */
const ask = async ({ key, url }: Asked, at: number): Promise<Took> => {
  const begun = performance.now()
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(questionAt(at))
  })
  if (response.status !== 200 || response.body === null) {
    throw new Error(`the chat was answered ${response.status}: ${await response.text()}`)
  }
  const decoder = new TextDecoder()
  let text = ""
  let firstMs: number | undefined
  for await (const part of response.body) {
    text += decoder.decode(part, { stream: true })
    if (firstMs === undefined && text.replaceAll(emptyMark, "").includes(contentMark)) {
      firstMs = performance.now() - begun
    }
  }
  const endMs = performance.now() - begun
  const received = text.replaceAll(emptyMark, "").split(contentMark).length - 1
  if (firstMs === undefined || received < pieces || !text.includes("data: [DONE]")) {
    throw new Error(`an answer has ${received} of ${pieces} pieces: ${text.slice(-300)}`)
  }
  return { firstMs, endMs }
}

const roundOf = async (asked: Asked, stand: Stand, provider: Served): Promise<Round> => {
  const counted = () => ({ pod: cpuOf(stand.pod.pid), provider: cpuOf(provider.pid), database: stand.databaseCpu() })
  const before = counted()
  const took: Array<Took> = []
  for (let at = 0; at < answers; at++) took.push(await ask(asked, at))
  const after = counted()
  return {
    podCpu: (after.pod - before.pod) / answers,
    providerCpu: (after.provider - before.provider) / answers,
    databaseCpu:
      before.database === undefined || after.database === undefined
        ? undefined
        : (after.database - before.database) / answers,
    firstMs: median(took.map(({ firstMs }) => firstMs)),
    endMs: median(took.map(({ endMs }) => endMs))
  }
}

const cpuOfRound = ({ databaseCpu = 0, podCpu, providerCpu }: Round) => podCpu + databaseCpu + providerCpu

const tell = (pairs: ReadonlyArray<{ readonly pod: Round; readonly bare: Round }>) => {
  const of = (side: "pod" | "bare", value: (round: Round) => number) =>
    median(pairs.map((pair) => value(pair[side]))).toFixed(value === cpuOfRound ? 0 : 2)
  const ratio = (value: (round: Round) => number) => median(pairs.map(({ bare, pod }) => value(pod) / value(bare)))
  const spread = (value: (round: Round) => number) => {
    const all = pairs.map(({ bare, pod }) => value(pod) / value(bare))
    return `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`
  }
  const row = (title: string, value: (round: Round) => number) =>
    `| ${title} | ${of("pod", value)} | ${of("bare", value)} | ${ratio(value).toFixed(2)} | ${spread(value)} |`
  say(`${answers} streamed answers of ${pieces} pieces a round, ${rounds} rounds in turns, ${options.rows} rows`)
  say("|   | through the pod | bare provider | ratio | ratio of the rounds |\n| --- | --- | --- | --- | --- |")
  say(row("CPU µs an answer, all processes", cpuOfRound))
  say(row("first words, ms", ({ firstMs }) => firstMs))
  say(row("end, ms", ({ endMs }) => endMs))
  const inner = (value: (round: Round) => number | undefined) => {
    const known = pairs.flatMap(({ pod }) => value(pod) ?? [])
    return known.length === 0 ? "?" : median(known).toFixed(0)
  }
  say(
    `Of the CPU through the pod: pod ${inner(({ podCpu }) => podCpu)}, PostgreSQL ${inner(({ databaseCpu }) => databaseCpu)}, ` +
      `provider ${inner(({ providerCpu }) => providerCpu)}`
  )
}

const server = await benchServer()
const provider = await serve(
  "the provider",
  [fileURLToPath(new URL("./provider.js", import.meta.url))],
  { PROVIDER_PIECES: String(pieces) },
  root
)
const providerUrl = `http://127.0.0.1:${provider.port}/v1`
try {
  const stand = await aStand({
    serverUrl: server.url,
    dist,
    rows: Number(options.rows),
    visibleShare: 1,
    podSettings: { POD_LLM_URL: providerUrl, POD_LLM_MODEL: "small" },
    ...(options.profile ? { nodeFlags: profileFlags(profileFile) } : {})
  })
  try {
    const sides = {
      pod: { url: `http://127.0.0.1:${stand.pod.port}/v1`, key: stand.key },
      bare: { url: providerUrl, key: "none" }
    }
    const run = (side: "pod" | "bare") => roundOf(sides[side], stand, provider)
    const pairs: Array<{ readonly pod: Round; readonly bare: Round }> = []
    for (let at = -warmUps; at < rounds; at++) {
      if (at === 0 && options.profile) process.kill(stand.pod.pid, "SIGUSR2")
      // The pod and the provider take turns to run first, as the two sides do in measure.ts.
      const isPodFirst = at % 2 === 0
      const one = await run(isPodFirst ? "pod" : "bare")
      const other = await run(isPodFirst ? "bare" : "pod")
      if (at >= 0) pairs.push(isPodFirst ? { pod: one, bare: other } : { pod: other, bare: one })
    }
    tell(pairs)
  } finally {
    await stand.stop()
    if (options.profile) say(profileText("a streamed answer", profileFile))
  }
} finally {
  await provider.stop()
  await server.stop()
}

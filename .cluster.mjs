// test/support/postgresCluster.ts
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync
} from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

// test/support/aMoment.ts
var pauseMs = 10;
var aMoment = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

// test/support/postgresCluster.ts
var run = promisify(execFile);
var readyWithinMs = 3e4;
var debianVersions = "/usr/lib/postgresql";
var characters = process.platform === "darwin" ? "UTF-8" : "C.UTF-8";
var isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
var hasServer = (folder) => isExecutable(join(folder, "initdb")) && isExecutable(join(folder, "postgres"));
var serverBinaries = async () => {
  const onPath = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "" && isExecutable(join(folder, "postgres"))).map((folder) => dirname(realpathSync(join(folder, "postgres"))));
  const versions = existsSync(debianVersions) ? readdirSync(debianVersions) : [];
  const packaged = versions.sort((left, right) => Number(right) - Number(left)).map((version) => join(debianVersions, version, "bin"));
  const known = [...onPath, ...packaged].find(hasServer);
  if (known !== void 0) return known;
  const answer = await run("pg_config", ["--bindir"]).catch(() => void 0);
  const configured = answer?.stdout.trim();
  return configured !== void 0 && hasServer(configured) ? configured : void 0;
};
var unprivilegedAccount = () => {
  if (process.getuid?.() !== 0) return void 0;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== void 0 && gid !== void 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("running as root, and there is neither a postgres nor a nobody account to run the server as");
};
var freePort = () => new Promise((resolve, reject) => {
  const probe = createServer().once("error", reject);
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(
      () => typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port"))
    );
  });
});
var keeper = `
exec 3<&0
binaries=$1; folder=$2; ctype=$3; shift 3
worker=; stopping=
trap 'stopping=1; test -n "$worker" && kill -INT "$worker" 2>/dev/null' TERM
( read -r _ <&3; while kill -TERM $$; do sleep 1; done ) 2>/dev/null & watcher=$!
supervise() {
  test -n "$stopping" && return 1
  "$@" & worker=$!
  wait "$worker"; code=$?
  while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done
  return "$code"
}
supervise "$binaries/initdb" -D "$folder/data" -U postgres -E UTF8 --locale=C --lc-ctype="$ctype" --no-sync \\
  --auth=md5 --pwfile="$folder/password" &&
supervise "$binaries/postgres" -D "$folder/data" "$@"
rm -rf "$folder"
kill "$watcher" 2>/dev/null
`;
var ended = (child) => child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => child.once("exit", () => resolve()));
var untilAnswers = async (url2, child, lastWords) => {
  const deadline = Date.now() + readyWithinMs;
  for (; ; ) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended: ${lastWords()}`);
    const client2 = new pg.Client({ connectionString: url2, connectionTimeoutMillis: 2e3 });
    const failure = await client2.connect().then(
      () => void 0,
      (cause) => cause
    );
    await client2.end().catch(() => void 0);
    if (failure === void 0) return;
    if (Date.now() > deadline) throw new Error(`the server did not answer: ${lastWords()}`, { cause: failure });
    await aMoment();
  }
};
var start = async (binaries, folder, password, account) => {
  const port = await freePort();
  const url2 = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: folder,
    max_connections: "200",
    // The cluster is temporary, so it does not have to survive a power failure.
    fsync: "off",
    full_page_writes: "off"
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(
    "/bin/sh",
    ["-c", keeper, "keeper", binaries, folder, characters, ...options],
    // The script is detached, so that an interrupt of the test run does not end it before it has cleaned up.
    {
      ...account,
      cwd: folder,
      env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "pipe"],
      detached: true
    }
  );
  let log = "";
  child.stderr.on("data", (chunk) => log = (log + chunk.toString()).slice(-2e3));
  const stop = async () => {
    child.stdin.end();
    await ended(child);
  };
  await untilAnswers(url2, child, () => log.trim()).catch(async (cause) => {
    await stop();
    throw cause;
  });
  return { url: url2, stop };
};
var startCluster = async (binaries) => {
  const account = unprivilegedAccount();
  const folder = mkdtempSync(join(tmpdir(), "pod-postgres-"));
  try {
    const password = randomBytes(18).toString("hex");
    const passwordFile = join(folder, "password");
    writeFileSync(passwordFile, password, { mode: 384 });
    if (account !== void 0) {
      chownSync(folder, account.uid, account.gid);
      chownSync(passwordFile, account.uid, account.gid);
    }
    return await start(binaries, folder, password, account);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw cause;
  }
};

// .cluster.ts
import pg2 from "pg";
import { writeFileSync as writeFileSync2 } from "node:fs";
var cluster = await startCluster(await serverBinaries());
var client = new pg2.Client({ connectionString: cluster.url });
await client.connect();
await client.query("CREATE DATABASE reads");
await client.end();
var url = new URL(cluster.url);
url.pathname = "/reads";
writeFileSync2("/tmp/h-reads-url", url.href);
console.log(url.href);
setTimeout(() => cluster.stop().then(() => process.exit(0)), 70 * 6e4);
process.on("SIGTERM", () => cluster.stop().then(() => process.exit(0)));

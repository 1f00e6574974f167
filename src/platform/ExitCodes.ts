/** The exit codes by which a supervisor or script can tell why the pod stopped. */

interface ExitCode {
  readonly code: number
  readonly meaning: string
}

/** 4 to 6, 9 and 10 are left to the command line, where they tell how a call was answered; 2 means the same there. */
export const exitCodeTable = {
  stopped: { code: 0, meaning: "Stopped as asked, after finishing what was running." },
  unexpected: { code: 1, meaning: "An error nobody foresaw; the log says more." },
  badUsage: { code: 2, meaning: "An argument is not known; nothing was started." },
  badSettings: { code: 3, meaning: "Settings are wrong; all of them are listed, nothing was started." },
  directoryLocked: { code: 7, meaning: "Another process uses the data directory." },
  databaseUnreachable: {
    code: 8,
    meaning: "PostgreSQL cannot be reached or refuses the login; trying again later may help."
  },
  portTaken: { code: 11, meaning: "Another process listens on the port, or the address cannot be listened on." },
  dataUnfit: {
    code: 12,
    meaning:
      "The data directory cannot be used or is incomplete, or a secret cannot be read or is not the one of its database; nothing was changed."
  },
  interrupted: { code: 130, meaning: "A second interrupt ended it before it had finished." }
} as const satisfies Record<string, ExitCode>

const codes = Object.fromEntries(Object.entries(exitCodeTable).map(([name, { code }]) => [name, code]))

/** The code by name, for `process.exitCode`. */
export const exitCodes = codes as {
  // Made from the same entries one line above, so every name is there with its own code.
  readonly [Name in keyof typeof exitCodeTable]: (typeof exitCodeTable)[Name]["code"]
}

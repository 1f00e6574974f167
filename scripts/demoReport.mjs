/**
 * Prints and checks the results of the demo. The demo has chapters with steps. Each step shows the requests, the
 * answers and the expected result.
 */

// A line has at most this many characters.
const width = 116

const write = (text = "") => process.stdout.write(`${text}\n`)

/** Breaks a long text into lines. Each line begins with the indent. */
const wrapped = (text, indent) => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== "" && indent.length + last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
  }
  return lines.map((line) => indent + line).join("\n")
}

const bars = (asked, back) => {
  const named = (name, lines) => lines.map((line, at) => [at === 0 ? name : "", line])
  for (const [name, line] of [...named("asked", asked), ...named("came back", back)]) {
    const [first = "", ...rest] = wrapped(line, " ".repeat(16)).split("\n")
    write(`    ${name.padEnd(9)} │ ${first.trimStart()}`)
    for (const each of rest) write(`${" ".repeat(13)} │   ${each.trimStart()}`)
  }
}

export const newReport = () => {
  const checks = []
  let pending = []
  const add = (what, expected, observed) => {
    const row = { what, expected: String(expected), observed: String(observed) }
    checks.push(row)
    return row
  }
  const isMet = ({ expected, observed }) => expected === observed

  return {
    /** Begins a part of the demo. */
    chapter: (title, sentence) => {
      write(`\n  ${title}\n  ${"─".repeat(title.length)}`)
      write(wrapped(sentence, "  "))
    },
    say: (text) => write(text),
    /** Prints one step: a sentence, the requests, and the lines of the answers. */
    step: (sentence, asked, back) => {
      write(`\n${wrapped(sentence, "  ")}`)
      bars([asked].flat(), [back].flat())
    },
    /** Checks a result of the latest printed step. */
    check: (what, expected, observed) => {
      const row = add(what, expected, observed)
      write(
        isMet(row) ? `    ✓ ${what}` : `    ✗ ${what}\n      expected: ${row.expected}\n      observed: ${row.observed}`
      )
    },
    /** Checks a result, and adds it as a row that `table` prints. */
    expect: (what, expected, observed) => pending.push(add(what, expected, observed)),
    table: () => {
      const widths = ["what", "expected", "observed"].map((name) =>
        Math.max(name.length, ...pending.map((row) => row[name].length))
      )
      const line = (cells) => `  ${cells.map((cell, at) => cell.padEnd(widths[at])).join("  ")}`.trimEnd()
      write(`\n${line(["what", "expected", "observed"])}\n${line(widths.map((each) => "─".repeat(each)))}`)
      for (const row of pending) write(`${isMet(row) ? " " : "≠"}${line(Object.values(row)).slice(1)}`)
      pending = []
    },
    /** Prints how many results are as expected. Returns true if all results are as expected. */
    end: () => {
      const failed = checks.filter((row) => !isMet(row))
      write(`\n  ${checks.length - failed.length} of ${checks.length} as expected`)
      for (const { expected, observed, what } of failed)
        write(`  ≠ ${what}: expected ${expected}, observed ${observed}`)
      write()
      return failed.length === 0
    }
  }
}

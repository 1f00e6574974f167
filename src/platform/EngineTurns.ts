/** The pauses of the embedded engine, in which the process does other work. */

// the time for which statements can run one after another before other tasks of the process get a turn
const turnMs = 8

/**
 * Lets other tasks of the process run between statements. The engine answers without leaving the current turn of the
 * event loop. If many calls, such as runs of rules, wrote at once, their statements could run one after another for
 * minutes. No request would be read in this time.
 */
export class EngineTurns {
  private beganMs = performance.now()
  private pausing: Promise<void> | undefined

  /** True if the next statement must first wait for `pause`. */
  isOver(): boolean {
    return this.pausing !== undefined || performance.now() - this.beganMs > turnMs
  }

  /** All messages that come during the pause wait for the same promise, so they keep their order. */
  pause(): Promise<void> {
    return (this.pausing ??= new Promise((resolve) =>
      setImmediate(() => {
        this.pausing = undefined
        this.beganMs = performance.now()
        resolve()
      })
    ))
  }
}

/** The parts of statements that store the identity signals of entities. */
import type { SqlClient } from "@effect/sql"
import type { Signal } from "../identity/ResolveIdentity.ts"

/** Makes the parts of a write that store the identity signals of an entity together with the entity. */
export const signalParts = (sql: SqlClient.SqlClient) => {
  const signalRows = (signals: ReadonlyArray<Signal>) =>
    sql`unnest(${signals.map(({ name }) => name)}::text[], ${signals.map(({ value }) => value)}::text[])
      AS given(name, value)`

  /**
   * Makes the part of a statement that stores the identity signals of an entity. This part follows the part `changed`,
   * which writes the entity.
   */
  const addSignals = (signals: ReadonlyArray<Signal>) => sql`
    signalled AS (
      INSERT INTO entity_signals (space_id, entity_id, name, value)
      SELECT changed.space_id, changed.id, given.name, given.value FROM changed, ${signalRows(signals)}
      ON CONFLICT DO NOTHING)`
  const removeSignals = (signals: ReadonlyArray<Signal>) => sql`
    removed_signals AS (
      DELETE FROM entity_signals signal USING changed
      WHERE signal.entity_id = changed.id AND signal.space_id = changed.space_id
        AND EXISTS (
          SELECT 1 FROM ${signalRows(signals)} WHERE given.name = signal.name AND given.value = signal.value))`
  return { addSignals, removeSignals }
}

/** The control that chooses the range of time of a list: a period that ends now, or days. */
import { useState } from "react"
import { SelectField, TextField } from "./Field.tsx"
import { dayOf, endOfDay, startOfDay } from "./localDays.ts"
import { oneOf } from "./searchValues.ts"
import { noTimeRange, type Period, periodNames, periods, type TimeRange } from "./timeRange.ts"

interface TimeRangeFieldsProps {
  readonly range: TimeRange
  /** What the page shows without a range, such as "All time". */
  readonly none: string
  /** The periods that the control offers. Default: all. */
  readonly offered?: ReadonlyArray<Period>
  readonly onChange: (range: TimeRange) => void
}

export const TimeRangeFields = ({
  none,
  offered = periods,
  onChange,
  range: { last, since, until }
}: TimeRangeFieldsProps) => {
  const hasDays = last === undefined && (since !== undefined || until !== undefined)
  const [isChoosing, setChoosing] = useState(false)
  const isDays = hasDays || (isChoosing && last === undefined)
  return (
    <>
      <SelectField
        label="Time"
        value={isDays ? "days" : (last ?? "")}
        onChange={({ target: { value } }) => {
          setChoosing(value === "days")
          onChange({ ...noTimeRange, last: oneOf(value, periods) })
        }}
      >
        <option value="">{none}</option>
        {offered
          .filter((period) => periodNames[period] !== none)
          .map((period) => (
            <option key={period} value={period}>
              {periodNames[period]}
            </option>
          ))}
        <option value="days">Chosen days …</option>
      </SelectField>
      {isDays && (
        <>
          <TextField
            label="Since"
            type="date"
            value={dayOf(since)}
            onChange={({ target }) => onChange({ last: undefined, since: startOfDay(target.value), until })}
          />
          <TextField
            label="Until"
            type="date"
            value={dayOf(until)}
            onChange={({ target }) => onChange({ last: undefined, since, until: endOfDay(target.value) })}
          />
        </>
      )}
    </>
  )
}

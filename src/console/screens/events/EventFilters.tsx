/** The filters of the events. The address of the page contains their values. */
import type { FormEvent } from "react"
import { Button } from "../../ui/Button.tsx"
import { SelectField, TextField, textsOf } from "../../ui/Field.tsx"
import { oneOf } from "../../ui/searchValues.ts"
import { rememberWorkspace } from "../../shell/workspaceChoice.ts"
import { TimeRangeFields } from "../../ui/TimeRangeFields.tsx"
import { WorkspaceSelect } from "../../ui/WorkspaceSelect.tsx"
import { ActorSelect } from "./ActorSelect.tsx"
import { isFiltered, noFilters } from "./eventFilterValues.ts"
import { eventSources, type EventsSearch, metadataKinds } from "./eventsRoutes.ts"

interface EventFiltersProps {
  readonly search: EventsSearch
  readonly onChange: (part: Partial<EventsSearch>) => void
}

const idForm = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

export const EventFilters = ({ onChange, search }: EventFiltersProps) => {
  const { actorId, metadataKind, source, subjectId, type, workspaceId } = search
  return (
    <form
      role="search"
      aria-label="Filter of events"
      className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        const texts = textsOf(event.currentTarget)
        onChange({ type: texts["type"]?.trim() || undefined, subjectId: texts["subjectId"]?.trim() || undefined })
      }}
    >
      <TextField key={`type ${type}`} label="Type" name="type" placeholder="entity.task.create" defaultValue={type} />
      <TextField
        key={`subject ${subjectId}`}
        label="Subject (id)"
        name="subjectId"
        pattern={idForm}
        title="The id of a record"
        defaultValue={subjectId}
      />
      <SelectField
        label="Source"
        value={source ?? ""}
        onChange={({ target }) => onChange({ source: oneOf(target.value, eventSources) })}
      >
        <option value="">Every source</option>
        {eventSources.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <SelectField
        label="Metadata"
        value={metadataKind ?? ""}
        onChange={({ target }) => onChange({ metadataKind: oneOf(target.value, metadataKinds) })}
      >
        <option value="">Any</option>
        {metadataKinds.map((name) => (
          <option key={name} value={name}>
            {name === "any" ? "With any metadata" : name}
          </option>
        ))}
      </SelectField>
      <ActorSelect value={actorId} onChoose={(chosen) => onChange({ actorId: chosen })} />
      <WorkspaceSelect
        none="Everywhere"
        value={workspaceId}
        onChoose={(chosen) => {
          rememberWorkspace(chosen)
          onChange({ workspaceId: chosen })
        }}
      />
      <TimeRangeFields range={search} none="Last 7 days" onChange={onChange} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit">Filter</Button>
        {isFiltered(search) && (
          <Button kind="quiet" onClick={() => onChange(noFilters)}>
            Clear all
          </Button>
        )}
      </div>
    </form>
  )
}

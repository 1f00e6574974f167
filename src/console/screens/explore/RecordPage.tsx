/** The page of one record of any type that Explore opens. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hubQuery } from "../../api/hub.ts"
import { Empty, Page } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { EntityRecord } from "./EntityRecord.tsx"
import { ExploreLink } from "./ExploreLink.tsx"
import { recordRoute } from "./exploreRoutes.ts"
import { OtherRecordView } from "./OtherRecordView.tsx"
import { type RecordAddress, type RecordKind, recordKindOf } from "./recordKinds.ts"

const EntityById = ({ id }: { readonly id: string }) => {
  const entity = useQuery(hubQuery("GET /api/hub/entities/:id", { params: { id } }))
  return entity.data === undefined ? (
    <Page title="Record" within={<ExploreLink />}>
      <QueryResult what="the record" query={entity}>
        {() => null}
      </QueryResult>
    </Page>
  ) : (
    <EntityRecord entity={entity.data} />
  )
}

const OtherByAddress = ({ address, kind }: { readonly address: RecordAddress; readonly kind: RecordKind }) => {
  const record = useQuery({
    queryKey: [kind.group, "read", address],
    queryFn: ({ signal }) => kind.read(address, signal)
  })
  return record.data === undefined ? (
    <Page title="Record" within={<ExploreLink />}>
      <QueryResult what={`the ${kind.one}`} query={record}>
        {() => null}
      </QueryResult>
    </Page>
  ) : (
    <OtherRecordView kind={kind} record={record.data} />
  )
}

export const RecordPage = () => {
  const { id, type } = recordRoute.useParams()
  const { workspaceId } = recordRoute.useSearch()
  const kind = recordKindOf(type)
  if (type === "entity") return <EntityById key={id} id={id} />
  if (kind !== undefined)
    return <OtherByAddress key={`${workspaceId ?? ""} ${id}`} address={{ id, workspaceId }} kind={kind} />
  return (
    <Page title="Record" within={<ExploreLink />}>
      <Empty title={`Explore does not open records of the type ${type}.`}>
        <Link to="/explore">Go to Explore</Link>
      </Empty>
    </Page>
  )
}

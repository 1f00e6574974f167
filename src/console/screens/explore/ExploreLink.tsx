/** The link from a record back to Explore, where the list of its kind is open. */
import { Link } from "@tanstack/react-router"

export const ExploreLink = ({ kind }: { readonly kind?: string }) => (
  <Link to="/explore" search={kind === undefined ? {} : { kind }}>
    Explore
  </Link>
)

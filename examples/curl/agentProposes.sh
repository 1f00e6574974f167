#!/bin/sh
# An agent proposes a note, and the person of the agent approves it. AGENT_KEY is a key of the agent, and POD_API_KEY is
# a key of the person.
set -eu
POD=${POD_URL:-http://localhost:8787}
JSON='content-type: application/json'
field() { sed "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/"; }

proposal=$(curl -sf "$POD/api/hub/entities" -H "Authorization: Bearer $AGENT_KEY" -H "$JSON" \
  -d '{"profileSlug":"note","title":"Call the chimney sweep","reasoning":"It smokes."}' | field proposalId)
# The person reads the content of the proposal and the hash of this content. An approval with the hash fails if the
# content has changed.
shown=$(curl -sf "$POD/api/hub/proposals/$proposal" -H "Authorization: Bearer $POD_API_KEY")
hash=$(echo "$shown" | field contentHash)
curl -sf "$POD/api/hub/proposals/$proposal/approve" -H "Authorization: Bearer $POD_API_KEY" -H "$JSON" -d "{\"contentHash\":\"$hash\"}"
echo

#!/bin/sh
# Asks a question, and remembers and recalls a fact.
set -eu
POD=${POD_URL:-http://localhost:8787}
hub() { curl -sf -H "Authorization: Bearer $POD_API_KEY" -H 'content-type: application/json' "$@"; }

hub "$POD/api/hub/knowledge/search" -d '{"query":"who sweeps the chimney?","limit":3}'
echo
hub "$POD/api/hub/memory" -d '{"fact":"The chimney sweep comes in May."}'
echo
hub "$POD/api/hub/memory?q=chimney+sweep"
echo

#!/bin/sh
# Creates, reads, changes and archives a note.
set -eu
POD=${POD_URL:-http://localhost:8787}
hub() { curl -sf -H "Authorization: Bearer $POD_API_KEY" -H 'content-type: application/json' "$@"; }
field() { sed "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/"; }

id=$(hub "$POD/api/hub/entities" -d '{"profileSlug":"note","title":"Sweep the chimney"}' | field id)
hub "$POD/api/hub/entities/$id"
echo
hub -X PATCH "$POD/api/hub/entities/$id" -d '{"title":"Sweep both chimneys"}'
echo
hub -X DELETE "$POD/api/hub/entities/$id"
echo

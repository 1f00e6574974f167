#!/bin/sh
# Signs in, creates a key that can only read notes, and lists the notes with this key.
set -eu
POD=${POD_URL:-http://localhost:8787}
JSON='content-type: application/json'

token=$(curl -sf "$POD/auth/sign-in" -H "$JSON" -d "{\"email\":\"$POD_EMAIL\",\"password\":\"$POD_PASSWORD\"}" |
  sed 's/.*"token":"\([^"]*\)".*/\1/')
key=$(curl -sf "$POD/trpc/apiKeys.create" -H "X-Session-Token: $token" -H "$JSON" \
  -d '{"keyName":"first","scope":["hub-protocol.read"],"grant":{"permissions":["entity.note.read"]}}' |
  sed 's/.*"key":"\([^"]*\)".*/\1/')

curl -sf "$POD/api/hub/entities" -H "Authorization: Bearer $key"
echo
# The pod refuses a write, because the key has no scope for writes. In the answer, `error` explains the reason to
# people, and `code` names the reason for programs.
curl -s "$POD/api/hub/entities" -H "Authorization: Bearer $key" -H "$JSON" -d '{"title":"Not allowed"}'
echo

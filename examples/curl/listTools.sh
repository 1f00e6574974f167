#!/bin/sh
# Lists the MCP tools that the key may call, without an MCP client.
set -eu
curl -sf "${POD_URL:-http://localhost:8787}/mcp" -H "Authorization: Bearer $POD_API_KEY" \
  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
echo

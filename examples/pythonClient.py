"""Creates a note and lists all notes that the key may read, page by page.

It needs only Python 3. With the library requests, `call` is `requests.request(...)`.
"""

import json
import os
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

POD = os.environ.get("POD_URL", "http://localhost:8787")
HEADERS = {"Authorization": "Bearer " + os.environ["POD_API_KEY"], "Content-Type": "application/json"}


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(POD + "/api/hub" + path, data, HEADERS, method=method)) as response:
            return json.load(response), response.headers
    except HTTPError as refusal:
        # In the body of a refusal, `error` explains the reason to people, and `code` names the reason for programs.
        answer = json.load(refusal)
        raise SystemExit(f"refused: {refusal.code} {answer.get('code', '')} {answer['error']}")


note, _ = call("POST", "/entities", {"profileSlug": "note", "title": "Buy nails"})
print("created", note["id"])

cursor = None
while True:
    query = {"profileSlug": "note", "limit": 2, **({"cursor": cursor} if cursor else {})}
    notes, headers = call("GET", "/entities?" + urlencode(query))
    for found in notes:
        print("note", found["title"])
    cursor = headers.get("X-Svc-Next-Cursor")
    if cursor is None:
        break

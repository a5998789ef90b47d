"""Loaded by Schemathesis; see schemathesis.toml."""

import json

import schemathesis

SHORT_MS = 100
LONGEST_MS = 50_000


@schemathesis.hook
def before_call(context, case, kwargs):
    """Waiting for work that never comes is no test: what may wait long waits shortly."""
    if case.operation.path != "/v1/claims" or not isinstance(case.body, dict):
        return
    wait = case.body.get("wait_ms")
    if isinstance(wait, (int, float)) and not isinstance(wait, bool) and SHORT_MS < wait <= LONGEST_MS and wait == int(wait):
        case.body["wait_ms"] = SHORT_MS


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """A body of JSON Lines is a text in the document; it is made of lines of which the schema is known."""
    for path in raw_schema["paths"].values():
        for operation in path.values():
            content = operation.get("requestBody", {}).get("content", {})
            for media in content.values():
                line = media.get("schema", {}).get("x-line")
                if line is not None:
                    most = media["schema"]["x-max-lines"]
                    media["schema"] = {"type": "array", "items": line, "maxItems": most}
                    for example in media.get("examples", {}).values():
                        example["value"] = [json.loads(one) for one in example["value"].splitlines()]


@schemathesis.serializer("application/x-ndjson")
def json_lines(context, value):
    """A value a line. What is no list is spread over lines, so that it is none there either."""
    if isinstance(value, list):
        text = "\n".join(json.dumps(one) for one in value)
    else:
        text = json.dumps(value, indent=1)
    return text.encode()

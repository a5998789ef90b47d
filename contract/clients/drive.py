"""Drives a task through a client that openapi-python-client has made; run by `./dev contract`."""

import inspect
import json
import os
import pkgutil
import sys
from importlib import import_module
from io import BytesIO

import workmill_client.api
from workmill_client import AuthenticatedClient
from workmill_client.api.agents import claim_tasks, register_agent
from workmill_client.api.graphs import create_graph, list_graphs
from workmill_client.api.leases import complete_lease, renew_lease, start_lease
from workmill_client.api.bulk_actions_and_audit import change_tasks
from workmill_client.api.tasks import show_task, submit_tasks, sync_plan
from workmill_client.models import (
    BulkAction,
    ChangeTasks,
    ClaimTasks,
    CompleteTask,
    CreateGraph,
    ErrorCode,
    GraphStatus,
    NewTask,
    Problem,
    RegisterAgent,
    SendHeartbeat,
    State,
    Usage,
)
from workmill_client.types import File

client = AuthenticatedClient(base_url=os.environ["WORKMILL_URL"], token=os.environ["WORKMILL_TOKEN"])


def answer(call, *path, **request):
    """The parsed answer of a call that succeeds."""
    parsed = call.sync(*path, client=client, **request)
    assert not isinstance(parsed, Problem), parsed
    return parsed


def refused(call, *path, **request):
    """The problem of a call that is refused."""
    parsed = call.sync(*path, client=client, **request)
    assert isinstance(parsed, Problem), parsed
    return parsed


def every_call_is_there():
    """Each operation of the document has its function, and each error that it names is read as a problem."""
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    made = {}
    for group in pkgutil.walk_packages(workmill_client.api.__path__, "workmill_client.api."):
        made[group.name.rsplit(".", 1)[1]] = group.name
    calls = errors = 0
    for path in document["paths"].values():
        for operation in path.values():
            call = import_module(made[operation["operationId"]])
            reads = inspect.getsource(call._parse_response)
            calls += 1
            for status in operation["responses"]:
                assert f"response.status_code == {status}:" in reads, (operation["operationId"], status)
                if int(status) >= 400:
                    assert f"response_{status} = Problem.from_dict" in reads, (operation["operationId"], status)
                    errors += 1
    return calls, errors


def main():
    calls, errors = every_call_is_there()
    answer(register_agent, body=RegisterAgent(id="python", capabilities=["python"]))
    task = NewTask.from_dict(
        {
            "title": "Driven by Python",
            "type": "contract-python",
            "key": "contract-python",
            "spec": {"prompt": "?", "constraints": {"required_capabilities": ["python"]}},
        }
    )
    submitted = answer(submit_tasks, body=task).tasks[0].id
    claimed = answer(claim_tasks, body=ClaimTasks(agent="python")).claims[0]
    assert claimed.task.id == submitted and claimed.task.title == "Driven by Python", claimed
    answer(start_lease, claimed.lease)
    heartbeat = SendHeartbeat(progress={"part": 1}, usage=Usage(cost_usd=0.01))
    assert answer(renew_lease, claimed.lease, body=heartbeat).expires_in_ms > 0
    done = CompleteTask(output={"answer": [42, None, "x"]}, usage=Usage(cost_usd=0.02))
    assert answer(complete_lease, claimed.lease, body=done).status == State.COMPLETED
    shown = answer(show_task, "contract-python")
    assert (shown.id, shown.status, shown.output.data) == (submitted, State.COMPLETED, {"answer": [42, None, "x"]})

    lost = refused(complete_lease, claimed.lease, body=CompleteTask(output="another"))
    assert (lost.status, lost.retryable) == (409, False), lost
    assert lost.code in (ErrorCode.CONFLICT, ErrorCode.ILLEGAL_TRANSITION, ErrorCode.LEASE_LOST), lost
    unknown = refused(show_task, "task_00000000000000000000000000")
    assert unknown.code == ErrorCode.NOT_FOUND, unknown
    blank = refused(submit_tasks, body=NewTask(title="", type_="x"))
    assert blank.code == ErrorCode.INVALID and blank.field.endswith("title"), blank

    line = {"id": "python-1", "spec_ref": "python.md", "title": "Planned"}
    plan = File(payload=BytesIO(json.dumps(line).encode()))
    answer(sync_plan, body=plan, dry_run=True)
    graph = CreateGraph(title="Made by Python", tasks=[task_of_graph("a"), task_of_graph("b", "a")])
    created = answer(create_graph, body=graph)
    listed = answer(list_graphs, q="made by python", status="running").items
    assert [one.id for one in listed] == [created.id] and listed[0].status == GraphStatus.RUNNING, listed
    counts = listed[0].counts
    assert (counts.tasks, counts.waiting, counts.moving) == (2, 1, 1), counts
    change = ChangeTasks.from_dict({"action": "cancel", "filter": {"graph": created.id}})
    assert change.action == BulkAction.CANCEL
    assert answer(change_tasks, body=change).changed == 2
    print(f"python: {calls} calls and {errors} errors are there; one task was submitted, claimed and completed")


def task_of_graph(name, *depends_on):
    task = {"name": name, "title": name, "type": "contract-python-graph", "depends_on": list(depends_on)}
    return NewTask.from_dict(task)


main()

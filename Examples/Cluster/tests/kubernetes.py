#!/usr/bin/env python3
"""Replaces kubectl: checks manifests against the API's schemas, and runs their containers on this machine.

    kubernetes.py apply -f FILE | get job NAME ... | delete job NAME ... | describe job NAME

'apply' runs a Job at once. Each pod has its own folder as its emptyDir. As with the kubelet, its init containers run
one after the other, then its container. Instead of the images, the programs on the PATH are used. The first pod of
index 1 is killed while it makes its shard. CLUSTER is the folder that keeps the state; CLUSTER/secret.json contains
the Secret.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kubernetes_validate
import yaml

CLUSTER = Path(os.environ["CLUSTER"])
KILLED_INDEX = 1


def main():
    verb, *arguments = sys.argv[1:]
    if verb == "apply":
        for manifest in yaml.safe_load_all(Path(arguments[1]).read_text()):
            apply(manifest)
    else:
        state = CLUSTER / arguments[1]
        if verb == "delete":
            state.unlink(missing_ok=True)
        else:
            print(state.read_text())


def apply(manifest):
    kubernetes_validate.validate(manifest, "1.29", strict=True)
    kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)
    name, spec = manifest["metadata"]["name"], manifest["spec"]
    check_pod(spec["template"]["spec"])
    if spec.get("completionMode") == "Indexed":
        indices, attempts = range(spec["completions"]), spec["backoffLimitPerIndex"] + 1
    else:
        indices, attempts = [None], spec["backoffLimit"] + 1
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda index: run_index(spec, name, index, attempts), indices))
    (CLUSTER / name).write_text("Complete" if all(done) else "Failed")
    print(f"job.batch/{name}: {sum(done)} of {len(done)}")


def check_pod(pod):
    """Checks two rules that the schemas lack: mounts name volumes, and limits are not less than requests."""
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in pod["initContainers"] + pod["containers"]:
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
        resources = container["resources"]
        assert size(resources["limits"]["memory"]) >= size(resources["requests"]["memory"])


def size(text):
    return int(text[:-2]) << {"Ki": 10, "Mi": 20, "Gi": 30}[text[-2:]]


def run_index(spec, name, index, attempts):
    fatal = set()
    for rule in spec.get("podFailurePolicy", {}).get("rules", []):
        if rule["action"] == "FailJob":
            fatal |= set(rule["onExitCodes"]["values"])
    for attempt in range(attempts):
        status = run_pod(spec["template"]["spec"], f"{name}-{index}", index, attempt)
        if status == 0:
            return True
        print(f"pod {name}-{index}: status {status}")
        if status in fatal:
            return False
    return False


def run_pod(pod, name, index, attempt):
    folder = CLUSTER / "pods" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for container in pod["initContainers"] + pod["containers"]:
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        if index is not None:
            environment["JOB_COMPLETION_INDEX"] = str(index)
        if "envFrom" in container:
            environment |= json.loads((CLUSTER / "secret.json").read_text())
        mount = container["volumeMounts"][0]["mountPath"]
        assert container["workingDir"] == mount
        command = [str(folder) if word == mount else word for word in container["command"]]
        if container["name"] == "shard" and index == KILLED_INDEX and attempt == 0:
            command = ["timeout", "--signal=KILL", "0.1", *command]
        result = subprocess.run(command, cwd=folder, env=environment, check=False)
        if result.returncode != 0:
            return result.returncode % 256 if result.returncode > 0 else 128 - result.returncode
    shutil.rmtree(folder)
    return 0


main()

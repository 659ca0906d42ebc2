"""A worker for tests: takes leases of a server that speaks the Remote Workers API (BuildGrid), runs their commands, uploads what they made.

worker.py HOST:PORT ID FOLDER [--die-after N] [--delay SECONDS]
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import tempfile
import time

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as re
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as re_grpc
from buildgrid._protos.google.bytestream import bytestream_pb2, bytestream_pb2_grpc
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2, bots_pb2_grpc, worker_pb2

OPTIONS = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]


class Store:
    """The blobs of the server; executables are kept, because every command has the same."""

    def __init__(self, channel):
        self.stream = bytestream_pb2_grpc.ByteStreamStub(channel)
        self.cas = re_grpc.ContentAddressableStorageStub(channel)
        self.kept = {}

    def read(self, digest):
        if digest.size_bytes == 0:
            return b""
        if digest.hash in self.kept:
            return self.kept[digest.hash]
        name = f"blobs/{digest.hash}/{digest.size_bytes}"
        data = b"".join(r.data for r in self.stream.Read(bytestream_pb2.ReadRequest(resource_name=name)))
        assert hashlib.sha256(data).hexdigest() == digest.hash, name
        self.kept[digest.hash] = data
        return data

    def message(self, kind, digest):
        message = kind()
        message.ParseFromString(self.read(digest))
        return message

    def write(self, data):
        digest = re.Digest(hash=hashlib.sha256(data).hexdigest(), size_bytes=len(data))
        request = re.BatchUpdateBlobsRequest()
        request.requests.add(digest=digest, data=data)
        answer = self.cas.BatchUpdateBlobs(request)
        assert all(r.status.code == 0 for r in answer.responses), answer
        return digest


def lay_out(store, digest, folder):
    """Writes the tree of a directory."""
    os.makedirs(folder, exist_ok=True)
    directory = store.message(re.Directory, digest)
    for file in directory.files:
        path = os.path.join(folder, file.name)
        with open(path, "wb") as out:
            out.write(store.read(file.digest))
        os.chmod(path, 0o755 if file.is_executable else 0o644)
    for below in directory.directories:
        lay_out(store, below.digest, os.path.join(folder, below.name))


def run(store, action):
    """The result of an action."""
    command = store.message(re.Command, action.command_digest)
    root = tempfile.mkdtemp(dir=".")
    try:
        lay_out(store, action.input_root_digest, root)
        cwd = os.path.join(root, command.working_directory)
        os.makedirs(cwd, exist_ok=True)
        environment = {v.name: v.value for v in command.environment_variables}
        done = subprocess.run(list(command.arguments), cwd=cwd, env=environment, capture_output=True, check=False)
        result = re.ActionResult(exit_code=done.returncode, stdout_raw=done.stdout, stderr_raw=done.stderr)
        for path in command.output_paths or command.output_files:
            made = os.path.join(cwd, path)
            if os.path.exists(made):
                with open(made, "rb") as file:
                    result.output_files.add(path=path, digest=store.write(file.read()))
        return result
    finally:
        shutil.rmtree(root)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("id")
    parser.add_argument("folder")
    parser.add_argument("--die-after", type=int, default=-1)
    parser.add_argument("--delay", type=float, default=0)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    os.chdir(arguments.folder)
    channel = grpc.insecure_channel(arguments.address, options=OPTIONS)
    store = Store(channel)
    bots = bots_pb2_grpc.BotsStub(channel)
    session = bots_pb2.BotSession(bot_id=arguments.id, status=bots_pb2.OK)
    session.worker.devices.add(handle=arguments.id).properties.add(key="OSFamily", value="linux")
    print("ready", flush=True)
    session = bots.CreateBotSession(bots_pb2.CreateBotSessionRequest(parent="", bot_session=session), timeout=30)
    done = 0
    while True:
        for lease in session.leases:
            if lease.state not in (bots_pb2.PENDING, bots_pb2.ACTIVE):
                continue
            if done == arguments.die_after:
                os._exit(3)
            action = re.Action()
            if not lease.payload.Unpack(action):
                digest = re.Digest()
                lease.payload.Unpack(digest)
                action = store.message(re.Action, digest)
            print("task", flush=True)
            time.sleep(arguments.delay)
            result = run(store, action)
            lease.state = bots_pb2.COMPLETED
            lease.result.Pack(result)
            lease.status.code = 0
            done += 1
        try:
            session = bots.UpdateBotSession(bots_pb2.UpdateBotSessionRequest(name=session.name, bot_session=session), timeout=20)
        except grpc.RpcError as e:
            if e.code() not in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE):
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Starts gpud on the software GPU and runs programs through it. Everything a test starts is gone when it ends."""
import os
import socket
import struct
import subprocess
import tempfile
import time
import unittest

BUILD = os.environ['WEFT_BUILD']
APPS = os.path.join(BUILD, 'tests/apps')
GPUD = os.path.join(BUILD, 'gpud/gpud')
WEFT = os.path.join(BUILD, 'tools/weft')
INTERPOSER = os.path.join(BUILD, 'interposer')
SOFTGPU = os.path.join(BUILD, 'softgpu')
PATIENCE = 60  # seconds: what a slow machine may take, far more than anything needs


def app(name):
    return os.path.join(APPS, name)


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def wait_until(what, condition, seconds=PATIENCE):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f'still not so after {seconds} s: {what}')


def run_on_softgpu(command, **environment):
    """Runs the program directly on the software GPU, without gpud."""
    return subprocess.run(command, env=os.environ | {'LD_LIBRARY_PATH': SOFTGPU} | environment, capture_output=True, text=True, timeout=PATIENCE)


class Gpud:
    """A gpud of its own folder; `with Gpud() as gpud`."""

    def __init__(self, *flags, driver='soft', listen=None, devices=1, environment=None):
        self.folder = tempfile.TemporaryDirectory()
        self.port = free_port()
        self.server = listen or f'127.0.0.1:{self.port}'
        self.log_path = os.path.join(self.folder.name, 'log')
        self.log_file = open(self.log_path, 'w')
        command = [GPUD, '--driver', driver, '--listen', self.server, '--image-cache', os.path.join(self.folder.name, 'images'), '--log', 'debug', *flags]
        settings = os.environ | {'WEFT_SOFTGPU_DEVICES': str(devices), 'WEFT_SOFTGPU_MEMORY_MIB': '1024'} | (environment or {})
        self.process = subprocess.Popen(command, env=settings, stderr=self.log_file)
        try:
            wait_until('gpud listens', lambda: 'listening on' in self.log() or self.process.poll() is not None)
        except BaseException:
            self.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def log(self):
        with open(self.log_path) as file:
            return file.read()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        self.log_file.close()
        self.folder.cleanup()

    def workers(self):
        """The worker processes alive."""
        with open(f'/proc/{self.process.pid}/task/{self.process.pid}/children') as file:
            return [int(pid) for pid in file.read().split()]

    def environment(self, **more):
        return os.environ | {'LD_LIBRARY_PATH': INTERPOSER, 'WEFT_SERVERS': self.server} | more

    def start(self, command, **more):
        return subprocess.Popen(command, env=self.environment(**more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, command, **more):
        return subprocess.run(command, env=self.environment(**more), capture_output=True, text=True, timeout=PATIENCE)


class RawClient:
    """Speaks the protocol by hand, as a hostile or newer client might."""
    MAGIC, VERSION = 0x6b726f7721746677, 1
    HELLO = struct.Struct('<QIIQQiI32s64s64s256s')
    SERVER_HELLO = struct.Struct('<QIIQII32s')
    WELCOME = struct.Struct('<QIIII32s256s')
    FRAME = struct.Struct('<BBHIQQQ')
    WANTS_REPLY, REPLY = 1, 2

    def __init__(self, gpud, version=VERSION, magic=MAGIC):
        self.socket = socket.create_connection(('127.0.0.1', gpud.port), PATIENCE)
        self.sequence = 0
        self.hello = self.HELLO.pack(magic, version, self.HELLO.size, 0, 0, os.getpid(), 0, b'n' * 32, b'host', b'raw', b'')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def read(self, size):
        data = b''
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise ConnectionError('the server closed the connection')
            data += more
        return data

    def connect(self):
        self.socket.sendall(self.hello)
        self.read(self.SERVER_HELLO.size)
        self.socket.sendall(b'\0' * 32)
        welcome = self.WELCOME.unpack(self.read(self.WELCOME.size))
        assert welcome[3] == 1, welcome
        self.message()  # the snapshot
        return self

    def message(self):
        kind, length = struct.unpack('<II', self.read(8))
        assert kind == 1, kind
        data = self.read(length)
        return self.FRAME.unpack(data[:self.FRAME.size]), data[self.FRAME.size:]

    def send_raw(self, data):
        self.socket.sendall(struct.pack('<II', 1, len(data)) + data)

    def send(self, op, body=b'', flags=WANTS_REPLY, length=None, frame_version=1):
        self.sequence += 1
        self.send_raw(self.FRAME.pack(frame_version, flags, op, len(body) if length is None else length, 0, self.sequence, 0) + body)

    def call(self, op, body=b''):
        """The CUresult of the answer, and the results."""
        self.send(op, body)
        header, answer = self.message()
        assert header[1] == self.REPLY and header[6] == self.sequence, header
        return struct.unpack('<i', answer[:4])[0], answer[8:]


class TestCase(unittest.TestCase):
    def assert_fine(self, done, output=None):
        self.assertEqual(done.returncode, 0, f'stdout: {done.stdout}\nstderr: {done.stderr}')
        if output is not None:
            self.assertEqual(done.stdout, output)

    def assert_one_line(self, text, pattern):
        lines = text.splitlines()
        self.assertEqual(len(lines), 1, text)
        self.assertRegex(lines[0], pattern)


main = unittest.main

# SPDX-License-Identifier: Apache-2.0
"""Tokens, versions, and clients that are none."""
import os
import re
import socket
import struct
import subprocess
import tempfile
import threading

from harness import GPUD, Gpud, INTERPOSER, PATIENCE, RawClient, TestCase, app, main, wait_until

SUCCESS, NOT_SUPPORTED, INVALID_HANDLE = 0, 801, 400


class Tokens(TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def token(self, text):
        path = os.path.join(self.folder.name, text)
        with open(path, 'w') as file:
            file.write(text + '\n')
        return path

    def test_the_right_token_and_others(self):
        with Gpud('--token-file', self.token('right')) as gpud:
            self.assert_fine(gpud.run([app('hello')], WEFT_TOKEN_FILE=self.token('right')))
            wrong = gpud.run([app('hello')], WEFT_TOKEN_FILE=self.token('wrong'))
            self.assertNotEqual(wrong.returncode, 0)
            self.assert_one_line(wrong.stderr, r"refused: the token is not this server's$")
            none = gpud.run([app('hello')])
            self.assertNotEqual(none.returncode, 0)
            self.assert_one_line(none.stderr, r'refused: it wants a token; name the file that holds it in WEFT_TOKEN_FILE$')
            self.assertIn('refused a connection: the token is wrong', gpud.log())

    def test_no_listening_for_everyone_without_one(self):
        done = subprocess.run([GPUD, '--driver', 'soft', '--listen', '0.0.0.0'], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 1)
        self.assert_one_line(done.stderr, r'^gpud: .*token_file')

    def test_a_server_that_does_not_know_the_token_is_refused(self):
        def pretend(listener):
            with listener.accept()[0] as connection:
                connection.recv(RawClient.HELLO.size)
                connection.sendall(RawClient.SERVER_HELLO.pack(RawClient.MAGIC, RawClient.VERSION, RawClient.SERVER_HELLO.size, 0, 1, 0, b'n' * 32))
                connection.recv(32)
                connection.sendall(RawClient.WELCOME.pack(RawClient.MAGIC, RawClient.VERSION, RawClient.WELCOME.size, 1, 0, b'\0' * 32, b''))
                connection.recv(1)

        done = self.against(pretend, WEFT_TOKEN_FILE=self.token('right'))
        self.assert_one_line(done.stderr, r'the server does not know the token itself$')

    @staticmethod
    def read_to_the_end(connection):
        try:
            while connection.recv(4096):
                pass
        except ConnectionResetError:
            pass  # the client hung up without reading all of it

    def against(self, server, **environment):
        """Runs a program against a server made of Python."""
        with socket.create_server(('127.0.0.1', 0)) as listener:
            thread = threading.Thread(target=server, args=(listener,))
            thread.start()
            settings = os.environ | {'LD_LIBRARY_PATH': INTERPOSER, 'WEFT_SERVERS': '127.0.0.1:%d' % listener.getsockname()[1]} | environment
            done = subprocess.run([app('hello')], env=settings, capture_output=True, text=True, timeout=PATIENCE)
            thread.join()
        self.assertNotEqual(done.returncode, 0)
        return done

    def test_servers_of_another_version_or_kind(self):
        def other_version(listener):
            with listener.accept()[0] as connection:
                connection.recv(RawClient.HELLO.size)
                connection.sendall(RawClient.SERVER_HELLO.pack(RawClient.MAGIC, 99, RawClient.SERVER_HELLO.size, 0, 0, 0, b'n' * 32))
                self.read_to_the_end(connection)

        def other_kind(listener):
            with listener.accept()[0] as connection:
                connection.sendall(b'SSH-2.0-OpenSSH_9.2p1 Debian\r\n')
                self.read_to_the_end(connection)

        def hangs_up(listener):
            listener.accept()[0].close()

        self.assert_one_line(self.against(other_version).stderr, r'the server speaks version 99 of the protocol, this end version 1; install the same weft on both$')
        self.assert_one_line(self.against(other_kind).stderr, r"the server does not speak weft's protocol$")
        self.assert_one_line(self.against(hangs_up).stderr, r'127\.0\.0\.1:\d+ refused: ')


class Hostile(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gpud = Gpud()
        cls.addClassCleanup(cls.gpud.stop)

    def tearDown(self):
        wait_until('the workers are gone', lambda: not self.gpud.workers())
        self.assert_fine(self.gpud.run([app('hello')]))  # whatever happened, others are served

    def assert_closed(self, client):
        with self.assertRaises(ConnectionError):
            while True:
                client.message()

    def test_a_client_of_another_version_sees_ours(self):
        with RawClient(self.gpud, version=77) as client:
            client.socket.sendall(client.hello)
            self.assertEqual(client.SERVER_HELLO.unpack(client.read(client.SERVER_HELLO.size))[1], RawClient.VERSION)
            with self.assertRaises(ConnectionError):
                client.read(1)
        wait_until('gpud says so', lambda: 'the client speaks version 77 of the protocol' in self.gpud.log())

    def test_what_is_no_client(self):
        with RawClient(self.gpud, magic=1) as client:
            client.socket.sendall(client.hello)
            with self.assertRaises(ConnectionError):
                client.read(1)
        wait_until('gpud says so', lambda: "the client does not speak weft's protocol" in self.gpud.log())

    def test_silence_is_given_up_and_delays_nobody(self):
        with RawClient(self.gpud) as silent, RawClient(self.gpud) as halfway:
            halfway.socket.sendall(halfway.hello[:100])
            self.assert_fine(self.gpud.run([app('hello')]))
            for client in (silent, halfway):
                with self.assertRaises(ConnectionError):
                    client.read(1)

    def test_an_unknown_operation_is_answered(self):
        with RawClient(self.gpud).connect() as client:
            for op in (0, 60000, 0xf0ff):
                self.assertEqual(client.call(op)[0], NOT_SUPPORTED)
            self.assertEqual(client.call(0xf006)[0], SUCCESS)  # goodbye: the session still lives

    def test_malformed_frames_end_the_session_in_words(self):
        def short(client): client.send_raw(b'\1\0')
        def wrong_length(client): client.send(0xf006, b'', length=100)
        def wrong_version(client): client.send(0xf006, frame_version=9)
        def truncated_arguments(client): client.send(self.op('cuMemAlloc_v2'), b'\0' * 3)
        def surplus_arguments(client): client.send(self.op('cuMemAlloc_v2'), b'\0' * 9)
        def copy_without_bytes(client): client.send(self.op('cuMemcpyHtoDAsync_v2'), struct.pack('<QQQIIQQ', 0, 1 << 40, 0, 1, 0, 0, 0))
        def staging_past_the_end(client): client.send(self.op('cuMemcpyHtoDAsync_v2'), struct.pack('<QQQIIQQ', 0, 64, 0, 2, 0, 1 << 60, 1))
        def mirror_of_nothing(client): client.send(self.op('cuMemcpyHtoDAsync_v2'), struct.pack('<QQQIIQQ', 0, 64, 0, 3, 0, 4096, 0))
        def launch_with_too_much(client): client.send(self.op('cuLaunchKernelEx'), struct.pack('<QQ6IIIII', 0, 0, 1, 1, 1, 1, 1, 1, 0, 1 << 30, 0, 0))

        for mistake in (short, wrong_length, wrong_version, truncated_arguments, surplus_arguments, copy_without_bytes, staging_past_the_end, mirror_of_nothing,
                        launch_with_too_much):
            with self.subTest(mistake.__name__), RawClient(self.gpud).connect() as client:
                mistake(client)
                header, text = client.message()
                self.assertEqual(header[2], 0xf007)
                self.assertRegex(text.decode(), r'^this client sent .*; the session is over$')
                self.assert_closed(client)

    def test_transport_frames_that_are_none(self):
        for data in (struct.pack('<II', 99, 4) + b'abcd', struct.pack('<II', 1, 0xffffffff), struct.pack('<IIQQQ', 2, 24, 12345, 0, 10)):
            with self.subTest(data), RawClient(self.gpud).connect() as client:
                client.socket.sendall(data)
                self.assert_closed(client)

    def test_a_cut_frame_ends_quietly(self):
        with RawClient(self.gpud).connect() as client:
            client.socket.sendall(struct.pack('<II', 1, 100) + b'x' * 50)

    def test_handles_that_are_none(self):
        with RawClient(self.gpud).connect() as client:
            for handle in (3, 0xffffffffffffffff, 1 << 47, 1 << 47 | 5 << 43):
                self.assertEqual(client.call(self.op('cuStreamSynchronize'), struct.pack('<Q', handle))[0], INVALID_HANDLE)

    @staticmethod
    def op(name):
        path = os.path.join(os.path.dirname(__file__), '../../abi/cuda_api.h')
        with open(path) as file:
            text = re.sub(r'\s+', ' ', file.read())
        return int(re.search(r'\[\[weft::op\((\d+)\)[^\]]*\]\] CUresult ' + name + r'\(', text).group(1))


if __name__ == '__main__':
    main()

# SPDX-License-Identifier: Apache-2.0
"""Whoever dies, the others get an error or go on; nothing hangs and nothing is left behind."""
import os
import signal
import subprocess
import time

from harness import Gpud, PATIENCE, TestCase, WEFT, app, main, wait_until

SECONDS = 15  # "within seconds" on a slow machine


class Faults(TestCase):
    def start_endless(self, gpud):
        client = gpud.start([app('endless')])
        self.addCleanup(lambda: (client.kill(), client.communicate()))
        self.assertEqual(client.stdout.readline(), 'going\n')
        return client

    def assert_ends_with_an_error(self, client):
        output, errors = client.communicate(timeout=SECONDS)
        self.assertEqual(client.returncode, 3, output + errors)
        self.assertRegex(output, r'line \d+: cudaMemcpy.*: cudaErrorDevicesUnavailable')
        self.assert_one_line(errors, r'^weft: lost the server 127\.0\.0\.1:\d+: ')

    def test_a_client_killed_in_mid_copy_leaves_nothing(self):
        with Gpud() as gpud:
            client = self.start_endless(gpud)
            self.assertEqual(len(gpud.workers()), 1)
            client.kill()
            wait_until('the worker is gone', lambda: not gpud.workers(), SECONDS)
            self.assert_fine(gpud.run([app('copies')]))

    def test_gpud_killed(self):
        with Gpud() as gpud:
            client = self.start_endless(gpud)
            worker = gpud.workers()[0]
            gpud.process.kill()
            self.assert_ends_with_an_error(client)
            wait_until('the worker is gone', lambda: not os.path.exists(f'/proc/{worker}'), SECONDS)

    def test_a_worker_killed_harms_only_its_client(self):
        with Gpud() as gpud:
            first, second = self.start_endless(gpud), self.start_endless(gpud)
            os.kill(min(gpud.workers()), signal.SIGKILL)
            self.assert_ends_with_an_error(first)
            self.assertIsNone(second.poll())
            wait_until('gpud says so', lambda: 'was killed by signal 9' in gpud.log())
            self.assert_fine(gpud.run([app('copies')]))

    def test_a_stopped_gpud_ends_its_workers(self):
        with Gpud() as gpud:
            client = self.start_endless(gpud)
            worker = gpud.workers()[0]
            gpud.process.terminate()
            self.assertEqual(gpud.process.wait(SECONDS), 0)
            self.assertFalse(os.path.exists(f'/proc/{worker}'))
            self.assert_ends_with_an_error(client)

    def test_no_server(self):
        with Gpud() as gpud:
            server = gpud.server
        started = time.monotonic()
        done = subprocess.run([app('copies')], env=gpud.environment(), capture_output=True, text=True, timeout=PATIENCE)
        self.assertLess(time.monotonic() - started, SECONDS)
        self.assertNotEqual(done.returncode, 0)
        self.assert_one_line(done.stderr, rf'^weft: cannot reach {server}: Connection refused; is gpud running there\?$')
        run = subprocess.run([WEFT, 'run', '--servers', server, '--', 'true'], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(run.returncode, 1)
        self.assert_one_line(run.stderr, rf'^weft: cannot reach {server}: Connection refused')

    def test_many_clients_leave_nothing_in_gpud(self):
        with Gpud() as gpud:
            def held():
                return len(os.listdir(f'/proc/{gpud.process.pid}/fd')), len(os.listdir(f'/proc/{gpud.process.pid}/task'))

            self.assert_fine(gpud.run([app('hello')]))
            wait_until('the first worker is gone', lambda: not gpud.workers())
            wait_until('its greeting is forgotten', lambda: held()[1] == 1)
            before = held()
            for _ in range(20):
                self.assert_fine(gpud.run([app('hello')]))
            wait_until('the workers are gone', lambda: not gpud.workers())
            wait_until(f'as before: {before}', lambda: held() == before, SECONDS)

    def test_places_are_limited(self):
        with Gpud('--max-clients', '1') as gpud:
            client = self.start_endless(gpud)
            done = gpud.run([app('hello')])
            self.assertNotEqual(done.returncode, 0)
            self.assert_one_line(done.stderr, r'all 1 places of this server are taken')
            client.kill()
            wait_until('the worker is gone', lambda: 'ended' in gpud.log() and not gpud.workers())
            self.assert_fine(gpud.run([app('hello')]))

    def test_a_driver_that_is_not_there(self):
        with Gpud(driver='/nowhere/libcuda.so.1') as gpud:
            done = gpud.run([app('hello')])
            self.assertNotEqual(done.returncode, 0)
            self.assert_one_line(done.stderr, r'refused: cannot load the CUDA driver /nowhere/libcuda.so.1')


if __name__ == '__main__':
    main()

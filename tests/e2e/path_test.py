# SPDX-License-Identifier: Apache-2.0
"""Programs through the whole path give what they give without it."""
import os
import re
import subprocess

from harness import Gpud, PATIENCE, TestCase, WEFT, app, main, run_on_softgpu


class Path(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.direct = run_on_softgpu([app('copies')])

    def test_directly_on_the_software_gpu(self):
        self.assert_fine(self.direct)
        self.assertRegex(self.direct.stdout, r'^checksum [0-9a-f]{8}\n$')

    def test_over_tcp(self):
        with Gpud() as gpud:
            done = gpud.run([app('copies')])
            self.assert_fine(done, self.direct.stdout)
            self.assertEqual(done.stderr, '')

    def test_over_ipv6(self):
        with Gpud(listen='[::1]:29377') as gpud:
            self.assert_fine(gpud.run([app('copies')]), self.direct.stdout)

    def test_over_a_unix_socket(self):
        path = f'/tmp/weft-e2e-{os.getpid()}/gpud.sock'
        with Gpud(listen=f'unix:{path}') as gpud:
            self.assert_fine(gpud.run([app('copies')]), self.direct.stdout)
        self.assertFalse(os.path.exists(path))
        os.rmdir(os.path.dirname(path))

    def test_two_clients_at_once(self):
        with Gpud() as gpud:
            clients = [gpud.start([app('copies')]) for _ in range(2)]
            for client in clients:
                output, errors = client.communicate(timeout=PATIENCE)
                self.assertEqual((client.returncode, output, errors), (0, self.direct.stdout, ''))

    def test_weft_run_and_devices(self):
        with Gpud(devices=3) as gpud:
            done = subprocess.run([WEFT, 'run', '--servers', gpud.server, '--', app('copies')], capture_output=True, text=True, timeout=PATIENCE)
            self.assert_fine(done, self.direct.stdout)
            listed = subprocess.run([WEFT, 'devices', '--servers', gpud.server], capture_output=True, text=True, timeout=PATIENCE)
            self.assert_fine(listed)
            self.assertEqual(len(listed.stdout.splitlines()), 3)
            self.assertIn('weft software GPU', listed.stdout)

    def test_the_devices_asked_for(self):
        def bus_ids(gpud, server, **environment):
            listed = subprocess.run([WEFT, 'devices', '--servers', server], env=gpud.environment(**environment), capture_output=True, text=True, timeout=PATIENCE)
            return [line.split()[-1] for line in listed.stdout.splitlines()]

        with Gpud('--devices', '3,1,2', devices=4) as gpud:
            self.assertEqual(bus_ids(gpud, gpud.server), ['0000:04:00.0', '0000:02:00.0', '0000:03:00.0'])
            self.assertEqual(bus_ids(gpud, gpud.server + '/2,0'), ['0000:03:00.0', '0000:04:00.0'])
            self.assertEqual(bus_ids(gpud, gpud.server, CUDA_VISIBLE_DEVICES='1'), ['0000:02:00.0'])
            self.assertEqual(bus_ids(gpud, gpud.server, CUDA_VISIBLE_DEVICES=''), [])

    def test_few_round_trips_before_the_first_kernel(self):
        with Gpud() as gpud:
            done = gpud.run([app('vector_add')], WEFT_LOG='stats')
            before = int(re.search(r'\((\d+) before the first kernel\)', done.stderr).group(1))
            self.assertLessEqual(before, 10)


if __name__ == '__main__':
    main()

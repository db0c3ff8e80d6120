# SPDX-License-Identifier: Apache-2.0
"""Kernels on the software GPU, directly and through gpud, with each set of instructions."""
from harness import Gpud, TestCase, app, main, run_on_softgpu

PROGRAMS = {
    'arithmetic': 'all values are right\n',
    'blocks': 'blocks are right\n',
    'calls': 'thread 0: other  0.00 a 123456789abcdef%\nthread 1: one  1.50 b 123456789abcdf0%\nthread 2: other  3.00 c 123456789abcdf1%\ncalls are right\n',
    'graphs': 'graphs are right\n',
    'lanes': 'lanes part and meet\n',
    'matrices': 'products are right\n',
    'textures': 'textures are right\n',
    'vector_add': '1000003 sums are right\n',
}
# How a kernel fails: the error that CUDA has for it, and what stderr says.
FAILURES = {
    'out_of_bounds': ('cudaErrorIllegalAddress', r'^weft: kernel _Z13out_of_boundsPi: access out of bounds of 4 bytes at 0x[0-9a-f]+, in .* at PTX line \d+, block \(\d,0,0\), thread \(37,0,0\)$'),
    'null_pointer': ('cudaErrorIllegalAddress', r'access out of bounds of 4 bytes at 0x0,'),
    'misaligned': ('cudaErrorMisalignedAddress', r'misaligned access of 4 bytes at 0x[0-9a-f]+1,'),
    'shared_overflow': ('cudaErrorIllegalAddress', r'access out of bounds of 4 bytes at shared memory 0x61a80,'),
    'assert': ('cudaErrorAssert', r'block: \[0,0,0\], thread: \[5,0,0\] Assertion `.*` failed\.$'),
    'trap': ('cudaErrorLaunchFailure', r'kernel _Z7trappedv: trap,'),
    'endless': ('cudaErrorLaunchTimeout', r'ran longer than WEFT_SOFTGPU_WATCHDOG_SECONDS allows$'),
    'overflow': ('cudaErrorIllegalAddress', r'stack overflow: '),
}


class Kernels(TestCase):
    def test_directly(self):
        for isa in ['', 'baseline']:
            for name, output in PROGRAMS.items():
                with self.subTest(name, isa=isa):
                    self.assert_fine(run_on_softgpu([app(name)], WEFT_SOFTGPU_ISA=isa), output)

    def test_through_gpud(self):
        with Gpud() as gpud:
            for name, output in PROGRAMS.items():
                with self.subTest(name):
                    self.assert_fine(gpud.run([app(name)]), output)

    def test_the_programs_of_streams(self):
        direct = run_on_softgpu([app('streams')])
        self.assert_fine(direct)
        with Gpud() as gpud:
            self.assert_fine(gpud.run([app('streams')]), direct.stdout)
            self.assert_fine(gpud.run([app('spin')]), run_on_softgpu([app('spin')]).stdout)

    def test_failures(self):
        for name, (error, text) in FAILURES.items():
            with self.subTest(name):
                done = run_on_softgpu([app('bad_kernel'), name], WEFT_SOFTGPU_WATCHDOG_SECONDS='1')
                self.assert_fine(done, f'{error}, then {error}\n')
                self.assertRegex(done.stderr.splitlines()[0], text)

    def test_failures_harm_only_their_client(self):
        with Gpud(environment={'WEFT_SOFTGPU_WATCHDOG_SECONDS': '1'}) as gpud:
            other = gpud.start([app('endless')])
            self.addCleanup(lambda: (other.kill(), other.communicate()))
            self.assertEqual(other.stdout.readline(), 'going\n')
            for name, (error, _) in FAILURES.items():
                with self.subTest(name):
                    self.assertEqual(gpud.run([app('bad_kernel'), name]).stdout, f'{error}, then {error}\n')
            self.assertIsNone(other.poll())
            self.assert_fine(gpud.run([app('vector_add')]), PROGRAMS['vector_add'])


if __name__ == '__main__':
    main()

# SPDX-License-Identifier: Apache-2.0
"""cuda_api.h against <cuda.h>, our exports against the toolkit's stub library, and loading each of our libraries as programs do.

abi_test.py BUILD SOURCE CUDA_HOME CXX...
"""
import collections
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE, CUDA_HOME = sys.argv[1:4]
CXX = sys.argv[4:]
LIBRARIES = [os.path.join(BUILD, folder, 'libcuda.so.1') for folder in ('interposer', 'softgpu')]
# In the stub library, but declared by no header of the toolkit.
UNDECLARED = re.compile(r'^cu(?!da)\w+$')

sys.path.insert(0, os.path.join(SOURCE, 'abi'))
sys.dont_write_bytecode = True
import generate  # noqa: E402

FUNCTIONS = generate.parse(os.path.join(SOURCE, 'abi/cuda_api.h'))


def exports(library):
    listed = subprocess.run(['nm', '-D', '--defined-only', library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split('@')[0] for line in listed.splitlines() if line.split()[1] in 'TtWwi'}


class Abi(unittest.TestCase):
    def test_the_declarations_are_nvidias(self):
        with tempfile.NamedTemporaryFile('w', suffix='.cpp') as file:
            file.write('#include "abi/cuda.hpp"\nextern "C" {\n#include "abi/cuda_api.h"\n}\n')
            file.flush()
            done = subprocess.run([*CXX, '-std=c++20', '-fsyntax-only', '-Wno-attributes', f'-I{SOURCE}', f'-I{CUDA_HOME}/include', file.name],
                                  capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_wrong_signature_would_be_noticed(self):
        with open(os.path.join(SOURCE, 'abi/cuda_api.h')) as file:
            text = file.read().replace('CUresult cuInit(unsigned int Flags);', 'CUresult cuInit(int Flags, int More);')
        with tempfile.NamedTemporaryFile('w', suffix='.cpp') as file:
            file.write('#include "abi/cuda.hpp"\nextern "C" {\n' + text + '\n}\n')
            file.flush()
            done = subprocess.run([*CXX, '-std=c++20', '-fsyntax-only', '-Wno-attributes', f'-I{SOURCE}', f'-I{CUDA_HOME}/include', file.name],
                                  capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)

    def test_everything_that_the_stub_library_has(self):
        stub = exports(os.path.join(CUDA_HOME, 'lib64/stubs/libcuda.so'))
        declared = {f.name for f in FUNCTIONS}
        self.assertEqual(len(declared), 634 + 3)  # <cuda.h> and <cudaProfiler.h>
        for library in LIBRARIES:
            ours = exports(library)
            self.assertEqual(declared - ours, set(), f'declared, not exported by {library}')
            self.assertEqual({name for name in ours if not name.startswith('cu')}, set())
            missing = {name for name in stub - ours if UNDECLARED.match(name)}
            self.assertLessEqual(len(missing), 3, missing)  # three names of the stub library stand in no header

    def test_each_library_loads_with_all_its_symbols(self):
        for library in LIBRARIES:
            loaded = ctypes.CDLL(library, mode=os.RTLD_NOW | os.RTLD_LOCAL)
            version = ctypes.c_int()
            self.assertEqual(loaded.cuDriverGetVersion(ctypes.byref(version)), 0)
            self.assertEqual(version.value, 13000)

    def test_the_interposer_needs_libc_alone(self):
        listed = subprocess.run(['readelf', '-d', LIBRARIES[0]], capture_output=True, text=True, check=True).stdout
        needed = set(re.findall(r'NEEDED\).*\[(.*)\]', listed))
        self.assertLessEqual(needed, {'libc.so.6', 'libm.so.6', 'libpthread.so.0', 'libdl.so.2', 'ld-linux-x86-64.so.2'})

    def test_unsupported_functions_have_their_reason(self):
        with open(os.path.join(SOURCE, 'doc/coverage.md')) as file:
            documented = set(re.findall(r'`(cu\w+?)`', file.read()))
        missing = sorted(f.name for f in FUNCTIONS if f.kind == 'unsupported' and f.name not in documented)
        self.assertEqual(missing, [])


if __name__ == '__main__':
    for kind, count in sorted(collections.Counter(f.kind for f in FUNCTIONS).items()):
        print(f'{count:4} {kind}')
    print(f'{len(FUNCTIONS):4} in all', flush=True)
    unittest.main(argv=sys.argv[:1])

# SPDX-License-Identifier: Apache-2.0
"""Who may include whom (the table of ARCHITECTURE.md), and what every file must have. lint.py SOURCE"""
import os
import re
import subprocess
import sys

SOURCE = sys.argv[1]
ALL = {'base', 'abi', 'wire', 'transport', 'topology', 'interposer', 'gpud', 'softgpu', 'bench', 'tests', 'tools'}
MAY_USE = {
    'base': set(),
    'abi': {'base'},
    'wire': {'base'},
    'transport': {'base'},
    'topology': {'base'},
    'interposer': {'base', 'abi', 'wire', 'transport'},
    'gpud': {'base', 'abi', 'wire', 'transport', 'topology'},
    'softgpu': {'base', 'abi'},
    'bench': ALL, 'tests': ALL, 'tools': ALL,
}
LONGEST_FILE = 620  # lines; about 500 is the aim


def files():
    listed = subprocess.run(['git', '-C', SOURCE, 'ls-files', '--cached', '--others', '--exclude-standard'], capture_output=True, text=True)
    names = listed.stdout.split() if listed.returncode == 0 else [
        os.path.relpath(os.path.join(folder, name), SOURCE) for folder, _, found in os.walk(SOURCE) for name in found]
    return [name for name in names if os.path.isfile(os.path.join(SOURCE, name))]


def problems(name):
    try:
        with open(os.path.join(SOURCE, name)) as file:
            lines = file.read().splitlines()
    except UnicodeDecodeError:
        return
    code = re.search(r'\.(cpp|hpp|cu|h|py|in)$', name) or name.endswith('meson.build')
    if code and not any('SPDX-License-Identifier: Apache-2.0' in line for line in lines[:3]):
        yield f'{name}:1: no SPDX line'
    if code and len(lines) > LONGEST_FILE and not name.startswith('abi/cuda_api.h'):
        yield f'{name}: {len(lines)} lines'
    folder = name.split('/')[0]
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield f'{name}:{number}: space at the end of the line'
        included = re.match(r'#include "(\w+)/', line)
        if code and included and folder in MAY_USE and included[1] in ALL and included[1] != folder and included[1] not in MAY_USE[folder]:
            yield f'{name}:{number}: {folder}/ may not use {included[1]}/'


found = [problem for name in files() for problem in problems(name)]
print('\n'.join(found) or 'nothing to complain about')
sys.exit(bool(found))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads abi/cuda_api.h and fills a template: generate.py API TEMPLATE OUTPUT.

A template is C++ with blocks. A block starts with a line `//% each WHICH` and ends with `//% end`; its text is repeated for each function of that
kind with ${...} replaced. WHICH is a list of kinds (sync async local manual unsupported same_as per_thread, or all). What ${...} means is listed
at substitutions().
"""
import re
import sys
from dataclasses import dataclass, field

HANDLES = {
    'CUcontext', 'CUmodule', 'CUfunction', 'CUlibrary', 'CUkernel', 'CUstream', 'CUevent', 'CUarray', 'CUmipmappedArray', 'CUtexref',
    'CUsurfref', 'CUgraph', 'CUgraphNode', 'CUgraphExec', 'CUmemoryPool',
}
KINDS = ('local', 'async', 'sync', 'manual', 'unsupported', 'same_as', 'per_thread')


@dataclass
class Parameter:
    type: str
    name: str
    notes: dict = field(default_factory=dict)  # attribute -> its argument or None

    @property
    def pointee(self):
        return self.type[:-1].replace('const ', '').strip()

    def has(self, note):
        return note in self.notes


@dataclass
class Function:
    name: str
    parameters: list
    op: int
    since: int
    kind: str
    target: str = ''  # of same_as and per_thread

    @property
    def base(self):
        """The name by which cuGetProcAddress knows it."""
        return re.fullmatch(r'(cu\w+?)(_v\d)?(_ptsz|_ptds)?', self.name).group(1)


def attributes(text):
    return {name: quoted or plain for name, quoted, plain in re.findall(r'weft::(\w+)(?:\((?:"([^"]*)"|([^)]*))\))?', text)}


def split_parameters(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in '([{'
        depth -= c in ')]}'
        if c == ',' and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip() not in ('', 'void')]


def parse_parameter(text):
    notes = {}
    match = re.match(r'\[\[(.*?)\]\]\s*(.*)', text)
    if match:
        notes, text = attributes(match.group(1)), match.group(2)
    type_, name = re.fullmatch(r'(.*?)\s*(\w+)', text).groups()
    return Parameter(type_, name, notes)


def parse(path):
    text = re.sub(r'//[^\n]*', '', open(path).read())
    functions = []
    for notes, name, parameters in re.findall(r'\[\[([^\]]*)\]\]\s*CUresult (cu\w+)\((.*?)\);', re.sub(r'\s+', ' ', text)):
        notes = attributes(notes)
        kind = [k for k in KINDS if k in notes]
        if len(kind) != 1:
            sys.exit(f'{path}: {name}: needs exactly one of {", ".join(KINDS)}')
        functions.append(Function(name, [parse_parameter(p) for p in split_parameters(parameters)], int(notes['op']),
                                  int(notes['since']), kind[0], notes[kind[0]] or ''))
    ops = [f.op for f in functions]
    if len(set(ops)) != len(ops):
        sys.exit(f'{path}: an op number stands twice')
    return functions


# --- one parameter at each of the four places: client before, worker before, worker after, client after -----------------------------------


def client_encode(p):
    n = p.name
    if p.has('create'):
        return f'  command.mint({n});'
    if p.has('string'):
        return f'  command.string({n});'
    if p.has('address'):
        return f'  command.value(reinterpret_cast<std::uint64_t>({n}));'
    if p.has('in') or p.has('inout'):
        if p.has('bytes'):
            return f'  command.array(static_cast<const std::byte*>({n}), {p.notes["bytes"]});'
        return f'  command.array({n}, {p.notes.get("count") or 1});'
    if p.has('out'):
        return f'  command.present({n});'
    return f'  command.value({n});'


def worker_decode(p):
    n, t = p.name, p.type
    if p.has('create'):
        return f'  Created<{p.pointee}> {n}(call);'
    if p.has('string'):
        return f'  const char* {n} = call.string();'
    if p.has('address'):
        return f'  auto {n} = reinterpret_cast<{t}>(call.value<std::uint64_t>());'
    if p.has('in') or p.has('inout'):
        element = 'std::byte' if p.has('bytes') else p.pointee
        return f'  Array<{element}> {n} = call.array<{element}>();'
    if p.has('out'):
        return f'  Output<{p.pointee}> {n}(call);'
    remember = '  call.will_destroy();\n' if p.has('destroy') else ''
    return f'{remember}  {t} {n} = call.value<{t}>();'


def worker_reserve(p):
    """Lengths, checked and made room for once all parameters are decoded, as they may be any of them."""
    if p.has('in') or p.has('inout'):
        return f'  call.check_count({p.name}, {p.notes.get("bytes") or p.notes.get("count") or 1});'
    if p.has('count') and p.has('out'):
        return f'  {p.name}.resize(call, {p.notes["count"]});'
    if p.has('capacity'):
        return f'  {p.name}.resize(call, {p.notes["capacity"]}.first());'
    return None


def worker_argument(p):
    if p.has('create') or p.has('in') or p.has('inout') or p.has('out'):
        return f'{p.name}.pointer()'
    return p.name


def worker_reply(p):
    if p.has('create'):
        return f'  {p.name}.bind(call, result);'
    if p.has('destroy'):
        return f'  if (result == CUDA_SUCCESS) call.unbind({p.name});'
    if p.has('capacity'):
        return f'  call.result({p.name}, {p.notes["capacity"]}.first());'
    if p.has('out') or p.has('inout'):
        return f'  call.result({p.name});'
    return None


def client_decode(p):
    if p.has('capacity'):
        return f'  command.result_array({p.name}, *{p.notes["capacity"]});'
    if p.has('count') and p.has('out'):
        return f'  command.result_array({p.name}, {p.notes["count"]});'
    if p.has('inout') or p.has('out'):
        return f'  command.result_array({p.name}, 1);'
    return None


def client_unmint(p):
    if p.has('create'):
        return f'    command.unmint({p.name});'
    return None


def client_destroy(p):
    return f'  command.destroyed({p.name});' if p.has('destroy') else None


def capacity_first(parameters):
    """Results whose length is another result come after it, at both ends."""
    return sorted(parameters, key=lambda p: p.has('capacity'))


def lines(function, parameters):
    return '\n'.join(line for line in map(function, parameters) if line)


def substitutions(f):
    p = f.parameters
    ordered = capacity_first(p)
    signature = ', '.join(f'{q.type} {q.name}' for q in p)
    return {
        'name': f.name, 'base': f.base, 'op': str(f.op), 'since': str(f.since), 'kind': f.kind, 'target': f.target,
        'per_thread': str(f.kind == 'per_thread').lower(),
        'signature': signature, 'types': ', '.join(q.type for q in p),
        'unnamed': ', '.join(q.type for q in p), 'arguments': ', '.join(q.name for q in p),
        'encode': lines(client_encode, p),
        'unmint': lines(client_unmint, p),
        'destroyed': lines(client_destroy, p),
        'results': lines(client_decode, ordered),
        'decode': lines(worker_decode, p),
        'reserve': lines(worker_reserve, p),
        'driver_arguments': ', '.join(worker_argument(q) for q in p),
        'reply': lines(worker_reply, ordered),
        'null_check': ' || '.join(f'!{q.name}' for q in p if q.has('create') or q.has('inout')) or 'false',
    }


def fill(template, functions):
    out, block, which = [], None, ()
    for line in template.splitlines():
        if line.startswith('//% each '):
            which, block = line.split()[2:], []
        elif line.startswith('//% end'):
            text = '\n'.join(block)
            for f in functions:
                if 'all' in which or f.kind in which:
                    values = substitutions(f)
                    filled = re.sub(r'\$\{(\w+)\}', lambda m: values[m.group(1)], text)
                    out += [l for l in filled.split('\n') if l.strip()]
                    if len(block) > 1:
                        out.append('')
            block = None
        elif block is not None:
            block.append(line)
        else:
            out.append(line)
    return '\n'.join(out) + '\n'


def main():
    api, template, output = sys.argv[1:]
    text = fill(open(template).read(), parse(api))
    with open(output, 'w') as file:
        file.write(f'// Generated from {template.split("/")[-1]} by abi/generate.py; do not edit.\n' + text)


if __name__ == '__main__':
    main()

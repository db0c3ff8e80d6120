// SPDX-License-Identifier: Apache-2.0
// Modules, libraries and the functions in them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "abi/cuda.hpp"
#include "softgpu/driver.hpp"
#include "softgpu/exec/code.hpp"
#include "softgpu/ptx/syntax.hpp"

namespace weft::softgpu {

/// A parsed image. Modules made from one share it.
struct Program {
  ptx::Module tree;
  std::map<std::string, std::uint64_t> shared_bytes;  // static ones, of each kernel with all that it calls
};

struct Symbol {
  std::uint64_t address = 0, bytes = 0;
};

/// A kernel in a module of one context.
struct Function {
  Module* module = nullptr;
  const ptx::Function* code = nullptr;
  std::map<int, int> settings;  // attributes that the program set
};

struct Library;

/// A kernel of a library: its function in whatever context is current.
struct Kernel {
  Library* library = nullptr;
  const ptx::Function* code = nullptr;
  std::map<int, int> settings;
};

struct Module {
  Context* context = nullptr;
  std::shared_ptr<const Program> program;
  Library* library = nullptr;  // which it belongs to, if any
  std::shared_ptr<exec::CodeSet> set;  // launches that run keep it
  std::map<std::string, Symbol> symbols;
  std::map<std::string, Function*> functions;
};

struct Library {
  std::shared_ptr<const Program> program;
  std::map<std::string, Kernel*> kernels;
};

/// Where a kernel's parameters lie.
struct ParameterLayout {
  std::vector<std::pair<std::size_t, std::size_t>> parameters;  // offset, bytes
  std::size_t bytes = 0;
};
ParameterLayout layout_of(const ptx::Function& code);

/// One attribute, as cuFuncGetAttribute answers it.
CUresult function_attribute(const Program& program, const ptx::Function& code, const std::map<int, int>& settings, const Device& device, CUfunction_attribute attribute, int* value);

/// The function that a handle means in the current context; a CUkernel will do as well. Null with the entry's result set.
Function* find_function(Entry& entry, CUfunction handle);

/// The context goes: its modules with it.
void free_modules_of(Driver& driver, Context* context);

}  // namespace weft::softgpu

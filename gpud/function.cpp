// SPDX-License-Identifier: Apache-2.0
#include "gpud/function.hpp"

namespace weft::gpud {
namespace {

struct Parameter {
  std::uint32_t offset, bytes;
};

/// Asks for one attribute or parameter after the other; the driver says where the list ends.
template <typename Attribute, typename ParameterInfo>
void add_record(Call& call, std::uint64_t bits, const char* name, Attribute attribute, ParameterInfo parameter_info) {
  abi::FunctionRecord record{.handle = bits};
  for (int i = 0; i < abi::max_function_attribute; ++i)
    record.has_attribute[i] = attribute(&record.attributes[i], static_cast<CUfunction_attribute>(i)) == CUDA_SUCCESS;
  std::vector<Parameter> parameters;
  std::size_t offset = 0, bytes = 0;
  while (parameters.size() < wire::max_kernel_parameter_bytes && parameter_info(parameters.size(), &offset, &bytes) == CUDA_SUCCESS)
    parameters.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes)});
  record.parameter_count = static_cast<std::uint32_t>(parameters.size());
  call.add(record);
  call.add_bytes(std::as_bytes(std::span(name, std::strlen(name))));
  call.append(parameters.data(), parameters.size() * sizeof parameters[0]);
}

}  // namespace

void add_function(Call& call, std::uint64_t bits, CUfunction function) {
  const DriverTable& driver = call.driver();
  const char* name = "";
  driver.cuFuncGetName(&name, function);
  add_record(
      call, bits, name, [&](int* value, CUfunction_attribute attribute) { return driver.cuFuncGetAttribute(value, attribute, function); },
      [&](std::size_t index, std::size_t* offset, std::size_t* bytes) { return driver.cuFuncGetParamInfo(function, index, offset, bytes); });
}

void add_kernel(Call& call, std::uint64_t bits, CUkernel kernel) {
  const DriverTable& driver = call.driver();
  const char* name = "";
  CUdevice device = 0;
  driver.cuKernelGetName(&name, kernel);
  driver.cuCtxGetDevice(&device);
  add_record(
      call, bits, name, [&](int* value, CUfunction_attribute attribute) { return driver.cuKernelGetAttribute(value, attribute, kernel, device); },
      [&](std::size_t index, std::size_t* offset, std::size_t* bytes) { return driver.cuKernelGetParamInfo(kernel, index, offset, bytes); });
}

}  // namespace weft::gpud

// SPDX-License-Identifier: Apache-2.0
// The CUDA driver that a worker uses: loaded, initialised and steered into its address window.
#pragma once

#include <string>
#include <vector>

#include "abi/messages.hpp"
#include "gpud/address_window.hpp"
#include "gpud/driver_table.hpp"

namespace weft::gpud {

struct Driver {
  DriverTable table;
  AddressWindow window;
  bool obeys = false;           // allocations lie in the window
  CUcontext first = nullptr;    // device 0's primary context, retained
  int devices = 0;
  std::vector<AddressRange> occupied;  // address space outside the window, kept free for mirrors
};

/// Throws std::runtime_error with one line where there is no usable driver or device.
Driver prepare_driver(const std::string& path, const AddressWindow& window);

/// What clients want to know at connect; devices in the driver's order.
abi::Snapshot describe(const Driver& driver, std::vector<abi::DeviceSnapshot>* devices);

}  // namespace weft::gpud

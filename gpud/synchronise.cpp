// SPDX-License-Identifier: Apache-2.0
// Waiting for the GPU. What is done already is answered at once; otherwise another thread goes on with the client's next messages meanwhile.
#include "gpud/operations.hpp"

namespace weft::gpud {

void cuCtxSynchronize(Call& call) {
  if (!call.ready()) return;
  call.hand_over();
  call.finish_synchronised(call.driver().cuCtxSynchronize());
}

void cuStreamSynchronize(Call& call) {
  const auto stream = call.value<CUstream>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuStreamQuery(stream);
  if (result == CUDA_ERROR_NOT_READY) {
    call.hand_over();
    result = call.driver().cuStreamSynchronize(stream);
  }
  call.finish_synchronised(result);
}

void cuStreamQuery(Call& call) {
  const auto stream = call.value<CUstream>();
  if (!call.ready()) return;
  call.finish_synchronised(call.driver().cuStreamQuery(stream));
}

void cuEventSynchronize(Call& call) {
  const auto event = call.value<CUevent>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuEventQuery(event);
  if (result == CUDA_ERROR_NOT_READY) {
    call.hand_over();
    result = call.driver().cuEventSynchronize(event);
  }
  call.finish_synchronised(result);
}

void cuEventQuery(Call& call) {
  const auto event = call.value<CUevent>();
  if (!call.ready()) return;
  call.finish_synchronised(call.driver().cuEventQuery(event));
}

void goodbye(Call& call) {
  if (!call.ready()) return;
  call.session().client_says_goodbye();
  call.finish_synchronised(CUDA_SUCCESS);
}

}  // namespace weft::gpud

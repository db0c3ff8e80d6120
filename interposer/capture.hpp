// SPDX-License-Identifier: Apache-2.0
// Stream capture as the client sees it. The worker captures in relaxed mode; which calls a capture forbids, and to whom, is decided here, where the program's
// threads are known.
#pragma once

#include <cstdint>

#include "interposer/objects.hpp"

namespace weft::interposer {

/// The capture state of a stream argument (resolved): null for the legacy stream, which can't capture.
Capture* capture_of(CUstream stream);

/// True where the stream is being captured now.
bool is_capturing(CUstream stream);

/// What a call answers that no capture allows (synchronisation of the whole context...): CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while this thread may not
/// make potentially unsafe calls, else CUDA_SUCCESS. Such a call invalidates no capture here: it is refused before it is sent.
CUresult refuse_while_capturing();

/// What a synchronisation or query of this stream answers while it captures; for the legacy stream, while any blocking stream does.
CUresult refuse_if_stream_captures(CUstream stream);

}  // namespace weft::interposer

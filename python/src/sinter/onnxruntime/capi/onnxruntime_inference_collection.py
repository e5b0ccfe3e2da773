# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions and what they bind."""

from sinter._binding import IOBinding, OrtValue
from sinter._inference_session import InferenceSession

__all__ = ["IOBinding", "InferenceSession", "OrtValue"]

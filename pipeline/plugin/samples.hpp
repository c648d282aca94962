// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "millrace/item.hpp"

namespace millrace {

/// Small payloads of a kind, such as a stage must give a result or an Error for.
std::vector<Payload> samples_of(PayloadKind kind);

}  // namespace millrace

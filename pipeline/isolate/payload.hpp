// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "isolate/link.hpp"
#include "millrace/error.hpp"
#include "millrace/item.hpp"

namespace millrace::inline v1 {

// What items consist of, as fields of a message. All that is read is checked, since the other
// side's memory may be broken: get_...() throw Malformed.

void put_origin(Writer& fields, const Origin& origin);
Origin get_origin(Reader& fields);

void put_error(Writer& fields, const Error& error);
Error get_error(Reader& fields);

/// Puts pixels into a segment where they are in none. The result is to be kept while the other
/// side may look at it.
Payload put_payload(Writer& fields, const Link& link, Payload payload);

/// `given`: what the other side works on, which may come back.
Payload get_payload(Reader& fields, Link& link, const Loan& given);

}  // namespace millrace::inline v1

// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/fault.hpp"

#include <new>
#include <string>
#include <system_error>

namespace millrace::inline v1 {

struct Fault::Kept {
  Error error;
  std::exception_ptr thrown;  // derived from Error
};

namespace {

ErrorKind kind_of(const std::error_code& code) {
  for (const auto full :
       {std::errc::no_space_on_device, std::errc::not_enough_memory, std::errc::too_many_files_open,
        std::errc::too_many_files_open_in_system, std::errc::resource_unavailable_try_again})
    if (code == full) return ErrorKind::resource;
  return ErrorKind::internal;
}

/// Of what is being handled and is not an Error.
Error translated() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {ErrorKind::resource, "out of memory"};
  } catch (const std::system_error& error) {
    return {kind_of(error.code()), error.what()};
  } catch (const std::exception& error) {
    return {ErrorKind::internal, error.what()};
  } catch (...) {
    return {ErrorKind::internal, "threw something that is not an exception"};
  }
}

}  // namespace

const Fault& Fault::out_of_memory() {
  static const Fault fault = [] {
    const Error error(ErrorKind::resource, "out of memory");
    return Fault(std::make_shared<const Kept>(Kept{error, std::make_exception_ptr(error)}));
  }();
  return fault;
}

Fault Fault::current() noexcept {
  const Fault& spare = out_of_memory();  // made with the first fault, while there is memory
  try {
    try {
      throw;
    } catch (const Error& error) {
      return Fault(std::make_shared<const Kept>(Kept{error, std::current_exception()}));
    } catch (...) {
      const Error error = translated();
      try {
        std::throw_with_nested(error);
      } catch (...) {
        return Fault(std::make_shared<const Kept>(Kept{error, std::current_exception()}));
      }
    }
  } catch (...) {
    return spare;
  }
}

const Error& Fault::error() const noexcept { return kept_->error; }

void Fault::raise() const { std::rethrow_exception(kept_->thrown); }

const std::exception_ptr& Fault::thrown() const noexcept { return kept_->thrown; }

void rethrow_in(std::string_view name) {
  std::throw_with_nested(Fault::current().error().in(name));
}

std::exception_ptr cause_of(const std::exception& error) noexcept {
  const auto* nested = dynamic_cast<const std::nested_exception*>(&error);
  return nested ? nested->nested_ptr() : nullptr;
}

std::exception_ptr cause_of(const std::exception_ptr& thrown) noexcept {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return cause_of(error);
  } catch (...) {
    return nullptr;
  }
}

}  // namespace millrace::inline v1
